// SPDX-License-Identifier: Apache-2.0
// The header that every Windows source begins with. It gathers what is in ndapi/win.
#pragma once

#ifdef __cplusplus
#include "ndapi/win/constants.h"
#include "ndapi/win/guid.h"
#include "ndapi/win/hresult.h"
#include "ndapi/win/interlocked.h"
#ifndef NOMINMAX
#include "ndapi/win/minmax.h"
#endif
#else
#include "ndapi/win/c/types.h"
//
#include "ndapi/win/c/constants.h"
#include "ndapi/win/c/inline.h"
#endif

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ndapi/win/clock.h"
#include "ndapi/win/com.h"
#include "ndapi/win/critical_section.h"
#include "ndapi/win/files.h"
#include "ndapi/win/heap.h"
#include "ndapi/win/intrinsics.h"
#include "ndapi/win/lists.h"
#include "ndapi/win/locks.h"
#include "ndapi/win/memory.h"
#include "ndapi/win/messages.h"
#include "ndapi/win/modules.h"
#include "ndapi/win/names.h"
#include "ndapi/win/pool.h"
#include "ndapi/win/ports.h"
#include "ndapi/win/printing.h"
#include "ndapi/win/processes.h"
#include "ndapi/win/scanning.h"
#include "ndapi/win/synchronization.h"
#include "ndapi/win/system.h"
#include "ndapi/win/system_text.h"
#include "ndapi/win/text.h"
#include "ndapi/win/threads.h"

// Last, since these are macros.
#include "ndapi/win/include/ndsim/conventions.h"
#include "ndapi/win/include/ndsim/interfaces.h"
#include "ndapi/win/include/ndsim/intrinsic_names.h"
#include "ndapi/win/include/sal.h"
#ifndef __cplusplus
#define INVALID_HANDLE_VALUE ((HANDLE) ~(ULONG_PTR)0)
#ifndef NOMINMAX
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
