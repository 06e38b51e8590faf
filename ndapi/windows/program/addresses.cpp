// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/addresses.hpp"

#include <charconv>
#include <string>

#include "ndapi/windows/abi/byteorder.h"

// Of the C library, whose header would bring its own socket addresses with it.
extern "C" int inet_pton(int family, const char* text, void* address) noexcept;

namespace ndsim {
namespace {

// The C library's numbers of the families.
constexpr int kIpv4 = 2;
constexpr int kIpv6 = 10;

struct Parts {
    std::string host;
    std::optional<std::string> port;
};

// The port stands after `separator`, which stays no part of either.
Parts parts_of(std::string_view text, std::string_view separator) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) {
        return {std::string(text), std::nullopt};
    }
    return {std::string(text.substr(0, at)), std::string(text.substr(at + separator.size()))};
}

// In network byte order.
std::optional<USHORT> number_of(const std::optional<std::string>& text) {
    if (!text) {
        return USHORT{0};
    }
    USHORT port = 0;
    const char* end = text->data() + text->size();
    const std::from_chars_result result = std::from_chars(text->data(), end, port);
    if (result.ec != std::errc() || result.ptr != end) {
        return std::nullopt;
    }
    return htons(port);
}

}  // namespace

std::optional<sockaddr_in> ipv4_address(std::string_view text) {
    const Parts parts = parts_of(text, ":");
    const std::optional<USHORT> port = number_of(parts.port);
    sockaddr_in address{};
    if (!port || inet_pton(kIpv4, parts.host.c_str(), &address.sin_addr) != 1) {
        return std::nullopt;
    }
    address.sin_family = AF_INET;
    address.sin_port = *port;
    return address;
}

std::optional<sockaddr_in6> ipv6_address(std::string_view text) {
    Parts parts{std::string(text), std::nullopt};
    if (text.starts_with('[')) {
        text.remove_prefix(1);
        parts = parts_of(text, "]:");
        if (!parts.port && !text.ends_with(']')) {
            return std::nullopt;
        }
        parts.host = text.substr(0, text.find(']'));
    }
    const std::optional<USHORT> port = number_of(parts.port);
    sockaddr_in6 address{};
    if (!port || inet_pton(kIpv6, parts.host.c_str(), &address.sin6_addr) != 1) {
        return std::nullopt;
    }
    address.sin6_family = AF_INET6;
    address.sin6_port = *port;
    return address;
}

}  // namespace ndsim
