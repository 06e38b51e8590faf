// SPDX-License-Identifier: Apache-2.0
// The compiler's own; but a loop that spins lets other software go on, and the clock is the simulated one.
#pragma once

// First, so that these names have their meaning from the beginning, but not within the compiler's header.
#include "ndapi/windows/include/windows.h"

#pragma push_macro("_mm_pause")
#pragma push_macro("__rdtsc")
#pragma push_macro("_rotl")
#pragma push_macro("_rotr")
#undef _mm_pause
#undef __rdtsc
#undef _rotl
#undef _rotr
#include_next <emmintrin.h>
#pragma pop_macro("_mm_pause")
#pragma pop_macro("__rdtsc")
#pragma pop_macro("_rotl")
#pragma pop_macro("_rotr")
