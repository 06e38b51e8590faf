// SPDX-License-Identifier: Apache-2.0
// The C library's, and what Windows' has besides.
#pragma once

#include_next <malloc.h>

#include "ndapi/windows/abi/aligned_memory.h"
