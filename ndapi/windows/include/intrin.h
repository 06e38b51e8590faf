// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler has as functions of its own, as far as clients use it.
#pragma once

#if defined(__x86_64__)
// By its name alone, or the compiler's own would be looked for in the wrong place.
#include <immintrin.h>
#endif

#include "ndapi/windows/include/windows.h"

#define _ReadBarrier() _ReadWriteBarrier()
#define _WriteBarrier() _ReadWriteBarrier()
#ifdef __cplusplus
#define _InterlockedIncrement InterlockedIncrement
#define _InterlockedDecrement InterlockedDecrement
#define _InterlockedExchange InterlockedExchange
#define _InterlockedExchangeAdd InterlockedExchangeAdd
#define _InterlockedCompareExchange InterlockedCompareExchange
#define _InterlockedCompareExchange64 InterlockedCompareExchange64
#define _InterlockedOr InterlockedOr
#define _InterlockedAnd InterlockedAnd
#endif

// Of a processor without any features.
static inline void __cpuid(int* registers, int leaf) {
    (void)leaf;
    registers[0] = registers[1] = registers[2] = registers[3] = 0;
}
static inline void __cpuidex(int* registers, int leaf, int part) {
    (void)part;
    __cpuid(registers, leaf);
}
