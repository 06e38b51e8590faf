// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler has as functions of its own, as far as programs use it. Under names of ours, as Clang knows
// theirs with -fms-extensions: ndsim/intrinsic_names.h has those. For C++ and C.
#pragma once

#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/names.h"

// The number of the lowest or highest bit that is set; 0 if none is.
static inline UCHAR ndsim_bit_scan_forward(ULONG* index, ULONG mask) {
    *index = mask == 0 ? 0 : (ULONG)__builtin_ctz(mask);
    return mask != 0;
}
static inline UCHAR ndsim_bit_scan_reverse(ULONG* index, ULONG mask) {
    *index = mask == 0 ? 0 : 31 - (ULONG)__builtin_clz(mask);
    return mask != 0;
}
static inline UCHAR ndsim_bit_scan_forward64(ULONG* index, ULONG64 mask) {
    *index = mask == 0 ? 0 : (ULONG)__builtin_ctzll(mask);
    return mask != 0;
}
static inline UCHAR ndsim_bit_scan_reverse64(ULONG* index, ULONG64 mask) {
    *index = mask == 0 ? 0 : 63 - (ULONG)__builtin_clzll(mask);
    return mask != 0;
}

static inline unsigned ndsim_rotl(unsigned value, int by) {
    return value << (by & 31) | value >> (-by & 31);
}
static inline unsigned ndsim_rotr(unsigned value, int by) {
    return value >> (by & 31) | value << (-by & 31);
}
static inline UINT64 ndsim_rotl64(UINT64 value, int by) {
    return value << (by & 63) | value >> (-by & 63);
}
static inline UINT64 ndsim_rotr64(UINT64 value, int by) {
    return value >> (by & 63) | value << (-by & 63);
}
static inline unsigned ndsim_popcnt(unsigned value) {
    return (unsigned)__builtin_popcount(value);
}
static inline UINT64 ndsim_popcnt64(UINT64 value) {
    return (UINT64)__builtin_popcountll(value);
}

// Counts nanoseconds, as QueryPerformanceCounter does.
static inline UINT64 ndsim_time_stamp(void) {
    LARGE_INTEGER count;
    QueryPerformanceCounter(&count);
    return (UINT64)count.QuadPart;
}
