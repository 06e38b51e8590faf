// SPDX-License-Identifier: Apache-2.0
// The same as mswsock.h.
#pragma once

#include "ndapi/windows/include/mswsock.h"
