// SPDX-License-Identifier: Apache-2.0
// Names that compilers' own headers have, too: of a loop that spins, the processor's clock, rotations.
#pragma once

#define _mm_pause YieldProcessor
#define __rdtsc ndsim_time_stamp
#define _rotl ndsim_rotl
#define _rotr ndsim_rotr
