// SPDX-License-Identifier: Apache-2.0
// The same as winsock2.h.
#pragma once

#include "ndapi/windows/include/winsock2.h"
