// SPDX-License-Identifier: Apache-2.0
// Threads and the end of a program.
#pragma once

#include "ndapi/windows/include/windows.h"
