// SPDX-License-Identifier: Apache-2.0
// The same as basetsd.h.
#pragma once

#include "ndapi/windows/include/basetsd.h"
