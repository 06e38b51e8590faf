// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler has as functions of its own, as far as programs use it. For C++ and C.
#pragma once

#include "ndapi/win/clock.h"
#include "ndapi/win/names.h"

// The number of the lowest or highest bit that is set; 0 if none is.
static inline UCHAR _BitScanForward(ULONG* index, ULONG mask) {
    *index = mask == 0 ? 0 : (ULONG)__builtin_ctz(mask);
    return mask != 0;
}
static inline UCHAR _BitScanReverse(ULONG* index, ULONG mask) {
    *index = mask == 0 ? 0 : 31 - (ULONG)__builtin_clz(mask);
    return mask != 0;
}
static inline UCHAR _BitScanForward64(ULONG* index, ULONG64 mask) {
    *index = mask == 0 ? 0 : (ULONG)__builtin_ctzll(mask);
    return mask != 0;
}
static inline UCHAR _BitScanReverse64(ULONG* index, ULONG64 mask) {
    *index = mask == 0 ? 0 : 63 - (ULONG)__builtin_clzll(mask);
    return mask != 0;
}

static inline unsigned ndsim_rotl(unsigned value, int by) {
    return value << (by & 31) | value >> (-by & 31);
}
static inline unsigned ndsim_rotr(unsigned value, int by) {
    return value >> (by & 31) | value << (-by & 31);
}
static inline UINT64 _rotl64(UINT64 value, int by) {
    return value << (by & 63) | value >> (-by & 63);
}
static inline UINT64 _rotr64(UINT64 value, int by) {
    return value >> (by & 63) | value << (-by & 63);
}
static inline unsigned __popcnt(unsigned value) {
    return (unsigned)__builtin_popcount(value);
}
static inline UINT64 __popcnt64(UINT64 value) {
    return (UINT64)__builtin_popcountll(value);
}

// Counts nanoseconds, as QueryPerformanceCounter does.
static inline UINT64 ndsim_time_stamp(void) {
    LARGE_INTEGER count;
    QueryPerformanceCounter(&count);
    return (UINT64)count.QuadPart;
}
