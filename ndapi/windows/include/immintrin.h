// SPDX-License-Identifier: Apache-2.0
// The compiler's own; but a loop that spins lets other software go on, and the clock is the simulated one.
#pragma once

// First, so that these names have their meaning from the beginning, but not within the compiler's header.
#include "ndapi/windows/include/windows.h"
//
#include "ndapi/windows/include/ndsim/hide_intrinsics.inc"
//
#include_next <immintrin.h>
//
#include "ndapi/windows/include/ndsim/show_intrinsics.inc"
