// SPDX-License-Identifier: Apache-2.0
// On Windows this makes DEFINE_GUID define what it else declares; here it always defines.
#pragma once

#define INITGUID

#include "ndapi/windows/include/windows.h"
