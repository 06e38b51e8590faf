// SPDX-License-Identifier: Apache-2.0
// The C library's, and what Windows' has besides.
#pragma once

#include_next <wchar.h>

#include "ndapi/win/printing.h"
#include "ndapi/win/scanning.h"
#include "ndapi/win/text.h"
