// SPDX-License-Identifier: Apache-2.0
// IUnknown and IClassFactory.
#pragma once

#include "ndapi/win/include/windows.h"
#ifdef __cplusplus
#include "ndapi/win/unknown.h"
#else
#include "ndapi/win/c/unknown.h"
#endif
