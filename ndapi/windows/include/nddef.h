// SPDX-License-Identifier: Apache-2.0
// NDSPI's flags and structures.
#pragma once

#include "ndapi/windows/include/winsock2.h"
//
#include "ndapi/windows/include/unknwn.h"
#ifdef __cplusplus
#include "ndapi/ndspi/nddef.h"
#else
#include "ndapi/ndspi/c/ndspi.h"
#endif
