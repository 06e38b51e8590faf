// SPDX-License-Identifier: Apache-2.0
// What programs use of the system's inner functions: RtlNtStatusToDosError.
#pragma once

#include "ndapi/windows/include/windows.h"
