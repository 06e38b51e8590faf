// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/ws2san.h"

// How a provider's function reports a failure.
namespace ndsim::wsd {

inline int refuse(int code, LPINT lpErrno) {
    if (lpErrno != nullptr) {
        *lpErrno = code;
    }
    return SOCKET_ERROR;
}
[[nodiscard]] inline int answer(int code, LPINT lpErrno) {
    return code == 0 ? 0 : refuse(code, lpErrno);
}

}  // namespace ndsim::wsd
