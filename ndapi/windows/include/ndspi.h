// SPDX-License-Identifier: Apache-2.0
// NDSPI, versions 1 and 2.
#pragma once

#include "ndapi/windows/include/winsock2.h"
//
#include "ndapi/windows/include/unknwn.h"
#ifdef __cplusplus
#include "ndapi/ndspi/ndspi.h"
#include "ndapi/windows/include/ndsim/uuids.h"
#else
#include "ndapi/ndspi/c/ndspi.h"
#endif
