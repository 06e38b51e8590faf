// SPDX-License-Identifier: Apache-2.0
// What Windows' malloc.h has beside the C library's. For C++ and C.
#pragma once

#include <alloca.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* _aligned_malloc(size_t size, size_t alignment);
void* _aligned_realloc(void* memory, size_t size, size_t alignment);
void _aligned_free(void* memory);

#ifdef __cplusplus
}
#endif

#ifndef _alloca
#define _alloca alloca
#endif
