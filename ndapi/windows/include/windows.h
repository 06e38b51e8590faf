// SPDX-License-Identifier: Apache-2.0
// The header that every Windows source begins with. It gathers what is in ndapi/windows/abi.
#pragma once

#include "ndapi/windows/abi/constants.h"
#ifdef __cplusplus
#include "ndapi/windows/abi/guid.h"
#include "ndapi/windows/abi/interlocked.h"
#ifndef NOMINMAX
#include "ndapi/windows/abi/minmax.h"
#endif
#else
#include "ndapi/windows/abi/c/inline.h"
#endif

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/com.h"
#include "ndapi/windows/abi/critical_section.h"
#include "ndapi/windows/abi/files.h"
#include "ndapi/windows/abi/heap.h"
#include "ndapi/windows/abi/intrinsics.h"
#include "ndapi/windows/abi/lists.h"
#include "ndapi/windows/abi/locks.h"
#include "ndapi/windows/abi/memory.h"
#include "ndapi/windows/abi/messages.h"
#include "ndapi/windows/abi/modules.h"
#include "ndapi/windows/abi/names.h"
#include "ndapi/windows/abi/pool.h"
#include "ndapi/windows/abi/ports.h"
#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/abi/processes.h"
#include "ndapi/windows/abi/scanning.h"
#include "ndapi/windows/abi/synchronization.h"
#include "ndapi/windows/abi/system.h"
#include "ndapi/windows/abi/system_text.h"
#include "ndapi/windows/abi/text.h"
#include "ndapi/windows/abi/threads.h"

// Last, since these are macros.
#include "ndapi/windows/include/ndsim/conventions.h"
#include "ndapi/windows/include/ndsim/interfaces.h"
#include "ndapi/windows/include/ndsim/intrinsic_names.h"
#include "ndapi/windows/include/sal.h"
#ifndef __cplusplus
#define INVALID_HANDLE_VALUE ((HANDLE) ~(ULONG_PTR)0)
#ifndef NOMINMAX
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
