// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/socket_options.hpp"

#include <cstring>

namespace ndsim::wsd {

// Nothing if there is no such option.
std::optional<DWORD> SocketOptions::value_of(int name) const {
    switch (name) {
        case SO_MAX_MSG_SIZE:
        case SO_MAX_RDMA_SIZE:
            return max_message_;
        case SO_RDMA_THRESHOLD_SIZE:
            return kRdmaThreshold;
        case SO_DEBUG:
            return debug_;
        case SO_GROUP_PRIORITY:
            return group_priority_;
        default:
            return std::nullopt;
    }
}

// The place of an option's value, if it can be set.
DWORD* SocketOptions::place_of(int name) {
    switch (name) {
        case SO_DEBUG:
            return &debug_;
        case SO_GROUP_PRIORITY:
            return &group_priority_;
        default:
            return nullptr;
    }
}

int SocketOptions::get(int level, int name, CHAR* value, LPINT length) const {
    if (level != SOL_SOCKET) {
        return WSAEINVAL;  // C10
    }
    const auto found = value_of(name);
    if (!found) {
        return WSAENOPROTOOPT;
    }
    if (length == nullptr) {
        return WSAEFAULT;
    }
    const bool room = value != nullptr && *length >= static_cast<int>(sizeof(DWORD));
    *length = sizeof(DWORD);
    if (!room) {
        return WSAEFAULT;
    }
    std::memcpy(value, &*found, sizeof(DWORD));
    return 0;
}

int SocketOptions::set(int level, int name, const CHAR* value, int length) {
    if (level != SOL_SOCKET) {
        return WSAEINVAL;
    }
    DWORD* const place = place_of(name);
    if (place == nullptr) {
        return WSAENOPROTOOPT;
    }
    if (value == nullptr || length < static_cast<int>(sizeof(DWORD))) {
        return WSAEFAULT;
    }
    std::memcpy(place, value, sizeof(DWORD));
    return 0;
}

}  // namespace ndsim::wsd
