// SPDX-License-Identifier: Apache-2.0
// Names that compilers or their headers have, too: of a loop that spins, the processor's clock, bits.
#pragma once

#define _mm_pause YieldProcessor
#define __rdtsc ndsim_time_stamp
#define _rotl ndsim_rotl
#define _rotr ndsim_rotr
#define _BitScanForward ndsim_bit_scan_forward
#define _BitScanReverse ndsim_bit_scan_reverse
#define _BitScanForward64 ndsim_bit_scan_forward64
#define _BitScanReverse64 ndsim_bit_scan_reverse64
#define _rotl64 ndsim_rotl64
#define _rotr64 ndsim_rotr64
#define __popcnt64 ndsim_popcnt64
#define __popcnt ndsim_popcnt
