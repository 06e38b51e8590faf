// SPDX-License-Identifier: Apache-2.0
// Socket addresses of any family with their lengths, and lists of them. For C++ and C.
#pragma once

#include "ndapi/windows/abi/types.h"

typedef struct _SOCKET_ADDRESS {
    PSOCKADDR lpSockaddr;
    INT iSockaddrLength;
} SOCKET_ADDRESS, *PSOCKET_ADDRESS;

// The array goes on for iAddressCount elements. What they point at lies behind it in the same buffer.
typedef struct _SOCKET_ADDRESS_LIST {
    INT iAddressCount;
    SOCKET_ADDRESS Address[1];
} SOCKET_ADDRESS_LIST, *PSOCKET_ADDRESS_LIST;
