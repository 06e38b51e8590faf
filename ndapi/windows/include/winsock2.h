// SPDX-License-Identifier: Apache-2.0
// Winsock, as far as NetworkDirect clients use it.
#pragma once

#include "ndapi/windows/include/windows.h"
//
#include "ndapi/windows/abi/socket_text.h"
#include "ndapi/windows/abi/sockets.h"

#define IN6ADDR_ANY_INIT \
    {                    \
        {                \
            {            \
                { 0 }    \
            }            \
        }                \
    }
#define IN6ADDR_LOOPBACK_INIT                                      \
    {                                                              \
        {                                                          \
            {                                                      \
                { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } \
            }                                                      \
        }                                                          \
    }

static const IN6_ADDR in6addr_any __attribute__((unused)) = IN6ADDR_ANY_INIT;
static const IN6_ADDR in6addr_loopback __attribute__((unused)) = IN6ADDR_LOOPBACK_INIT;
