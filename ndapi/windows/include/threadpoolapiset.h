// SPDX-License-Identifier: Apache-2.0
// A part of windows.h on Windows; here all of it.
#pragma once

#include "ndapi/windows/include/windows.h"
