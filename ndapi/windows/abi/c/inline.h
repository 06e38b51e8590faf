// SPDX-License-Identifier: Apache-2.0
// The functions of hresult.h, guid.h, byteorder.h and interlocked.h for programs in C. Identifiers are
// passed by address here, and atomic operations are those on 32 bits, or on 64 where the name says so.
#pragma once

#include <string.h>

#include "ndapi/windows/abi/threads.h"

static inline HRESULT HRESULT_FROM_WIN32(DWORD error) {
    return (HRESULT)error <= 0 ? (HRESULT)error : (HRESULT)(0x80070000U | (error & 0xFFFFU));
}

static inline BOOL IsEqualGUID(REFGUID one, REFGUID other) {
    return memcmp(one, other, sizeof(GUID)) == 0;
}
static inline BOOL InlineIsEqualGUID(REFGUID one, REFGUID other) {
    return IsEqualGUID(one, other);
}
static inline BOOL IsEqualIID(REFIID one, REFIID other) {
    return IsEqualGUID(one, other);
}

static inline USHORT htons(USHORT value) {
    return __builtin_bswap16(value);
}
static inline USHORT ntohs(USHORT value) {
    return __builtin_bswap16(value);
}
static inline UINT32 htonl(UINT32 value) {
    return __builtin_bswap32(value);
}
static inline UINT32 ntohl(UINT32 value) {
    return __builtin_bswap32(value);
}

static inline LONG InterlockedIncrement(volatile LONG* target) {
    ndsim_interlocked();
    return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}
static inline LONG InterlockedDecrement(volatile LONG* target) {
    ndsim_interlocked();
    return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}
static inline LONG InterlockedExchangeAdd(volatile LONG* target, LONG value) {
    ndsim_interlocked();
    return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}
static inline LONG InterlockedExchange(volatile LONG* target, LONG value) {
    ndsim_interlocked();
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}
static inline LONG InterlockedCompareExchange(volatile LONG* target, LONG value, LONG expected) {
    ndsim_interlocked();
    __atomic_compare_exchange_n(target, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
static inline LONGLONG InterlockedIncrement64(volatile LONGLONG* target) {
    ndsim_interlocked();
    return __atomic_add_fetch(target, 1, __ATOMIC_SEQ_CST);
}
static inline LONGLONG InterlockedDecrement64(volatile LONGLONG* target) {
    ndsim_interlocked();
    return __atomic_sub_fetch(target, 1, __ATOMIC_SEQ_CST);
}
static inline LONGLONG InterlockedExchangeAdd64(volatile LONGLONG* target, LONGLONG value) {
    ndsim_interlocked();
    return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
}
static inline LONGLONG InterlockedCompareExchange64(volatile LONGLONG* target, LONGLONG value, LONGLONG expected) {
    ndsim_interlocked();
    __atomic_compare_exchange_n(target, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
