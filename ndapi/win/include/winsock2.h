// SPDX-License-Identifier: Apache-2.0
// Winsock, as far as NetworkDirect clients use it.
#pragma once

#include "ndapi/win/include/windows.h"
#include "ndapi/win/socket_text.h"
#include "ndapi/win/sockets.h"
