// SPDX-License-Identifier: Apache-2.0
// Socket addresses of any family with their lengths, and lists of them.
#pragma once

#include "ndapi/windows/abi/types.h"

struct SOCKET_ADDRESS {
    PSOCKADDR lpSockaddr;
    INT iSockaddrLength;
};
using PSOCKET_ADDRESS = SOCKET_ADDRESS*;

// The array goes on for iAddressCount elements. What they point at lies behind it in the same buffer.
struct SOCKET_ADDRESS_LIST {
    INT iAddressCount;
    SOCKET_ADDRESS Address[1];
};
using PSOCKET_ADDRESS_LIST = SOCKET_ADDRESS_LIST*;
