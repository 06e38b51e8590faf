// SPDX-License-Identifier: Apache-2.0
// NDSPI's statuses.
#pragma once

#include "ndapi/windows/include/winsock2.h"
//
#include "ndapi/windows/include/unknwn.h"
#ifdef __cplusplus
#include "ndapi/ndspi/ndstatus.h"
#else
#include "ndapi/ndspi/c/ndspi.h"
#endif
