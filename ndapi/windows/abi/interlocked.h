// SPDX-License-Identifier: Apache-2.0
// Atomic operations, as templates: sources use them on volatile variables of mixed types. Each is a point at which
// other software of the host may go on.
#pragma once

#include "ndapi/windows/abi/threads.h"

template <class T>
T InterlockedIncrement(volatile T* target) {
    ndsim_interlocked();
    return __atomic_add_fetch(target, T{1}, __ATOMIC_SEQ_CST);
}
template <class T>
T InterlockedDecrement(volatile T* target) {
    ndsim_interlocked();
    return __atomic_sub_fetch(target, T{1}, __ATOMIC_SEQ_CST);
}

// The other operations return what there was before.
template <class T, class Value>
T InterlockedExchangeAdd(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_fetch_add(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T, class Value>
T InterlockedExchange(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_exchange_n(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T, class Value, class Expected>
T InterlockedCompareExchange(volatile T* target, Value value, Expected expected) {
    ndsim_interlocked();
    T found = static_cast<T>(expected);
    __atomic_compare_exchange_n(target, &found, static_cast<T>(value), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return found;
}
template <class T, class Value>
T InterlockedAnd(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_fetch_and(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T, class Value>
T InterlockedOr(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_fetch_or(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}

template <class T, class Value>
T InterlockedXor(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_fetch_xor(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T>
UCHAR InterlockedBitTestAndSet(volatile T* target, LONG bit) {
    return static_cast<UCHAR>((InterlockedOr(target, T{1} << bit) >> bit) & 1);
}
template <class T>
UCHAR InterlockedBitTestAndReset(volatile T* target, LONG bit) {
    return static_cast<UCHAR>((InterlockedAnd(target, ~(T{1} << bit)) >> bit) & 1);
}
// What there is afterwards.
template <class T, class Value>
T InterlockedAdd(volatile T* target, Value value) {
    ndsim_interlocked();
    return __atomic_add_fetch(target, static_cast<T>(value), __ATOMIC_SEQ_CST);
}

// The width is that of the variable, so these are the same.
template <class T, class Value>
T InterlockedAdd64(volatile T* target, Value value) {
    return InterlockedAdd(target, value);
}
template <class T, class Value>
T InterlockedAnd64(volatile T* target, Value value) {
    return InterlockedAnd(target, value);
}
template <class T, class Value>
T InterlockedOr64(volatile T* target, Value value) {
    return InterlockedOr(target, value);
}
template <class T>
T InterlockedIncrement16(volatile T* target) {
    return InterlockedIncrement(target);
}
template <class T>
T InterlockedDecrement16(volatile T* target) {
    return InterlockedDecrement(target);
}
template <class T>
T InterlockedIncrement64(volatile T* target) {
    return InterlockedIncrement(target);
}
template <class T>
T InterlockedDecrement64(volatile T* target) {
    return InterlockedDecrement(target);
}
template <class T, class Value>
T InterlockedExchangeAdd64(volatile T* target, Value value) {
    return InterlockedExchangeAdd(target, value);
}
template <class T, class Value>
T InterlockedExchange64(volatile T* target, Value value) {
    return InterlockedExchange(target, value);
}
template <class T, class Value, class Expected>
T InterlockedCompareExchange64(volatile T* target, Value value, Expected expected) {
    return InterlockedCompareExchange(target, value, expected);
}

template <class T>
T* InterlockedExchangePointer(T* volatile* target, PVOID value) {
    return InterlockedExchange(target, static_cast<T*>(value));
}
template <class T>
T* InterlockedCompareExchangePointer(T* volatile* target, PVOID value, PVOID expected) {
    return InterlockedCompareExchange(target, static_cast<T*>(value), static_cast<T*>(expected));
}
