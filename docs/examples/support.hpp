// SPDX-License-Identifier: Apache-2.0
// The parts that the example programs for Windows share: words of their command lines, and results that end a program.
#pragma once

#include <winsock2.h>
//
#include <ndstatus.h>
#include <tchar.h>
#include <windows.h>
#include <ws2tcpip.h>

#include <stdio.h>
#include <stdlib.h>

inline void require(HRESULT result, const char* what) {
    if (result != ND_SUCCESS) {
        printf("%s failed: %08x\n", what, result);
        exit(1);
    }
}

// ADDRESS or ADDRESS:PORT
inline sockaddr_in address_of(TCHAR* text) {
    sockaddr_in address = {};
    INT length = sizeof(address);
    if (WSAStringToAddress(text, AF_INET, NULL, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        printf("no address: %S\n", text);
        exit(2);
    }
    return address;
}

inline ULONG number(TCHAR* text) {
    return static_cast<ULONG>(_ttol(text));
}
