// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "ndapi/core/socket_address.hpp"
#include "ndapi/ndspi/ndstatus.h"
#include "ndapi/windows/abi/socket_address.h"

// How calls of either version return data of variable length; Length is ULONG or SIZE_T.
namespace ndsim::nd {

// An address: nothing is written to a buffer that is too small (R132).
template <class Length>
[[nodiscard]] HRESULT put_address(const std::optional<core::Endpoint>& endpoint, sockaddr* address, Length* length) {
    if (!endpoint) {
        return ND_CONNECTION_INVALID;
    }
    const Length there = address == nullptr ? 0 : *length;
    *length = sizeof(sockaddr_in);
    if (there < sizeof(sockaddr_in)) {
        return ND_BUFFER_OVERFLOW;
    }
    const sockaddr_in in = core::address_of(*endpoint);
    std::memcpy(address, &in, sizeof in);
    return ND_SUCCESS;
}

// Private data: as much as fits, and the full length (R128).
template <class Length>
[[nodiscard]] HRESULT put_data(const std::optional<std::span<const std::byte>>& bytes, void* data, Length* length) {
    if (!bytes) {
        return ND_CONNECTION_INVALID;
    }
    if (length == nullptr) {
        return ND_SUCCESS;
    }
    const std::size_t room = data == nullptr ? 0 : *length;
    if (room > 0) {
        std::memcpy(data, bytes->data(), std::min(room, bytes->size()));
    }
    *length = static_cast<Length>(bytes->size());
    return room < bytes->size() ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
}

// A list of one address.
template <class Length>
[[nodiscard]] HRESULT put_address_list(const core::Endpoint& endpoint, SOCKET_ADDRESS_LIST* list, Length* length) {
    constexpr std::size_t kNeeded = sizeof(SOCKET_ADDRESS_LIST) + sizeof(sockaddr_in);
    const std::size_t room = list == nullptr ? 0 : *length;
    *length = static_cast<Length>(kNeeded);
    if (room < kNeeded) {
        return ND_BUFFER_OVERFLOW;
    }
    auto* const behind = reinterpret_cast<std::byte*>(list) + sizeof(SOCKET_ADDRESS_LIST);
    const sockaddr_in in = core::address_of({endpoint.ip, 0});
    std::memcpy(behind, &in, sizeof in);
    list->iAddressCount = 1;
    list->Address[0] = {reinterpret_cast<SOCKADDR*>(behind), static_cast<INT>(sizeof in)};
    return ND_SUCCESS;
}

}  // namespace ndsim::nd
