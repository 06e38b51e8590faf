// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/socket_address.hpp"

#include <cstring>

#include "ndapi/windows/abi/byteorder.h"

namespace ndsim::core {

std::optional<Endpoint> endpoint_of(const SOCKADDR* address, std::size_t length) {
    if (address == nullptr || length < sizeof(sockaddr_in)) {
        return std::nullopt;
    }
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof in);
    if (in.sin_family != AF_INET) {
        return std::nullopt;
    }
    return Endpoint{ntohl(in.sin_addr.s_addr), ntohs(in.sin_port)};
}

sockaddr_in address_of(const Endpoint& endpoint) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(endpoint.port);
    in.sin_addr.s_addr = htonl(endpoint.ip);
    return in;
}

}  // namespace ndsim::core
