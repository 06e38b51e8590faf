// SPDX-License-Identifier: Apache-2.0
// The debugging heap of Windows' C library: nothing is checked here.
#pragma once

#include <assert.h>

#define _ASSERT(condition) assert(condition)
#define _ASSERTE(condition) assert(condition)
#define _CrtSetDbgFlag(flags) (flags)
#define _CrtDumpMemoryLeaks() 0
#define _CRTDBG_ALLOC_MEM_DF 0x01
#define _CRTDBG_LEAK_CHECK_DF 0x20
