// SPDX-License-Identifier: Apache-2.0
// NDSPI's helper functions.
#pragma once

#include "ndapi/windows/include/winsock2.h"
//
#include "ndapi/windows/include/unknwn.h"
//
#include "ndapi/ndspi/ndsupport.h"
