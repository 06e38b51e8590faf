// SPDX-License-Identifier: Apache-2.0
// The same as mmsystem.h.
#pragma once

#include "ndapi/windows/include/mmsystem.h"
