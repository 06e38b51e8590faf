// SPDX-License-Identifier: Apache-2.0
// Winsock Direct. For C++.
#pragma once

#ifndef __cplusplus
#error "ws2san.h is for C++"
#endif

#include "ndapi/windows/include/winsock2.h"
//
#include "ndapi/wsd/ws2san.h"
