// SPDX-License-Identifier: Apache-2.0
// The C library's, and what Windows' has besides.
#pragma once

#include_next <stdio.h>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/abi/scanning.h"
