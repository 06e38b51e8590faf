// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler has as functions of its own, as far as clients use it.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ndapi/win/include/windows.h"

// Of a loop that spins.
#define _mm_pause YieldProcessor
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
