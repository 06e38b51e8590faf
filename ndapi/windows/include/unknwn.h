// SPDX-License-Identifier: Apache-2.0
// IUnknown and IClassFactory.
#pragma once

#include "ndapi/windows/include/windows.h"
#ifdef __cplusplus
#include "ndapi/windows/abi/unknown.h"
#else
#include "ndapi/windows/abi/c/unknown.h"
#endif
