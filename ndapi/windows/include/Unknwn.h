// SPDX-License-Identifier: Apache-2.0
// The same as unknwn.h.
#pragma once

#include "ndapi/windows/include/unknwn.h"
