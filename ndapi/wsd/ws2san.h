// SPDX-License-Identifier: Apache-2.0
// Winsock Direct: all that a switch includes.
#pragma once

#include "ndapi/wsd/ws2san_extensions.h"
#include "ndapi/wsd/ws2san_functions.h"
