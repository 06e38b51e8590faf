// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/socket_text.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>

#include "ndapi/windows/program/addresses.hpp"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace {

INT failed(int error) {
    WSASetLastError(error);
    return SOCKET_ERROR;
}

std::string hexadecimal(unsigned value) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), kDigits[value & 0xF]);
        value >>= 4;
    } while (value != 0);
    return text;
}

std::string text_of(const IN_ADDR& address) {
    const auto& bytes = address.S_un.S_un_b;
    return std::to_string(bytes.s_b1) + '.' + std::to_string(bytes.s_b2) + '.' + std::to_string(bytes.s_b3) + '.' +
           std::to_string(bytes.s_b4);
}

// The longest run of two zeros or more becomes "::".
std::string text_of(const IN6_ADDR& address) {
    int run_at = 8;
    int run_length = 1;
    for (int at = 0; at < 8; ++at) {
        int end = at;
        while (end < 8 && address.u.Word[end] == 0) {
            ++end;
        }
        if (end - at > run_length) {
            run_at = at;
            run_length = end - at;
        }
    }
    std::string text;
    for (int at = 0; at < 8;) {
        if (at == run_at) {
            text += "::";
            at += run_length;
            continue;
        }
        text += text.empty() || text.back() == ':' ? "" : ":";
        text += hexadecimal(ntohs(address.u.Word[at++]));
    }
    return text;
}

std::optional<std::string> text_of(const sockaddr* address, DWORD size) {
    if (size >= sizeof(sockaddr_in) && address->sa_family == AF_INET) {
        const auto& in = *reinterpret_cast<const sockaddr_in*>(address);
        return text_of(in.sin_addr) + (in.sin_port == 0 ? "" : ':' + std::to_string(ntohs(in.sin_port)));
    }
    if (size >= sizeof(sockaddr_in6) && address->sa_family == AF_INET6) {
        const auto& in6 = *reinterpret_cast<const sockaddr_in6*>(address);
        const std::string text = text_of(in6.sin6_addr);
        return in6.sin6_port == 0 ? text : '[' + text + "]:" + std::to_string(ntohs(in6.sin6_port));
    }
    return std::nullopt;
}

template <class Character>
INT address_to_string(LPSOCKADDR address, DWORD size, Character* text, LPDWORD length) {
    const std::optional<std::string> made = address == nullptr ? std::nullopt : text_of(address, size);
    if (!made) {
        return failed(WSAEINVAL);
    }
    const bool fits = *length > made->size();
    *length = static_cast<DWORD>(made->size() + 1);
    if (!fits) {
        return failed(WSAEFAULT);
    }
    *std::copy(made->begin(), made->end(), text) = Character{};
    return 0;
}

INT parse(INT family, const std::string& text, PVOID address) {
    if (family == AF_INET) {
        const auto parsed = ndsim::ipv4_address(text);
        if (!parsed || text.find(':') != std::string::npos) {
            return 0;
        }
        std::memcpy(address, &parsed->sin_addr, sizeof(parsed->sin_addr));
        return 1;
    }
    if (family == AF_INET6) {
        const auto parsed = ndsim::ipv6_address(text);
        if (!parsed || text.find('[') != std::string::npos) {
            return 0;
        }
        std::memcpy(address, &parsed->sin6_addr, sizeof(parsed->sin6_addr));
        return 1;
    }
    return failed(WSAEAFNOSUPPORT);
}

template <class Character>
const Character* print(INT family, const void* address, Character* text, size_t size) {
    if (family != AF_INET && family != AF_INET6) {
        WSASetLastError(WSAEAFNOSUPPORT);
        return nullptr;
    }
    const std::string made = family == AF_INET ? text_of(*static_cast<const IN_ADDR*>(address))
                                               : text_of(*static_cast<const IN6_ADDR*>(address));
    if (made.size() >= size) {
        WSASetLastError(WSA_INVALID_PARAMETER);
        return nullptr;
    }
    *std::copy(made.begin(), made.end(), text) = Character{};
    return text;
}

// One result and its address, as one piece of memory.
template <class Info>
struct Found {
    Info info{};
    sockaddr_storage address{};
};

std::optional<USHORT> port_of(const std::string& service) {
    unsigned port = 0;
    for (const char digit : service) {
        if (digit < '0' || digit > '9' || port > 0xFFFF) {
            return std::nullopt;
        }
        port = port * 10 + static_cast<unsigned>(digit - '0');
    }
    return port > 0xFFFF ? std::nullopt : std::optional(static_cast<USHORT>(port));
}

// Without a node: the wildcard for those who listen, otherwise the loopback address.
template <class Info>
INT find(const std::optional<std::string>& node, const std::string& service, const Info* hints, Info** result) {
    *result = nullptr;
    const int flags = hints == nullptr ? 0 : hints->ai_flags;
    const int family = hints == nullptr ? AF_UNSPEC : hints->ai_family;
    const std::optional<USHORT> port = port_of(service);
    const std::string text = node ? *node : (flags & AI_PASSIVE) != 0 ? "0.0.0.0" : "127.0.0.1";
    auto in = family == AF_INET6 ? std::nullopt : ndsim::ipv4_address(text);
    auto in6 = family == AF_INET ? std::nullopt : ndsim::ipv6_address(text);
    if (!port || (!in && !in6)) {
        return failed(port ? WSAHOST_NOT_FOUND : WSATYPE_NOT_FOUND), port ? WSAHOST_NOT_FOUND : WSATYPE_NOT_FOUND;
    }
    auto* found = new Found<Info>;
    if (in) {
        in->sin_port = htons(*port);
        std::memcpy(&found->address, &*in, sizeof(*in));
    } else {
        in6->sin6_port = htons(*port);
        std::memcpy(&found->address, &*in6, sizeof(*in6));
    }
    found->info.ai_family = in ? AF_INET : AF_INET6;
    found->info.ai_socktype = hints == nullptr ? 0 : hints->ai_socktype;
    found->info.ai_protocol = hints == nullptr ? 0 : hints->ai_protocol;
    found->info.ai_addrlen = in ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    found->info.ai_addr = reinterpret_cast<sockaddr*>(&found->address);
    *result = &found->info;
    return 0;
}

}  // namespace

INT WSAAddressToStringW(LPSOCKADDR address, DWORD size, LPWSAPROTOCOL_INFOW, LPWSTR text, LPDWORD length) {
    return address_to_string(address, size, text, length);
}
INT WSAAddressToStringA(LPSOCKADDR address, DWORD size, LPWSAPROTOCOL_INFOW, LPSTR text, LPDWORD length) {
    return address_to_string(address, size, text, length);
}
INT WSAStringToAddressA(LPSTR text, INT family, LPWSAPROTOCOL_INFOW protocol, LPSOCKADDR address, LPINT length) {
    std::wstring wide = ndsim::to_wide(text);
    return WSAStringToAddressW(wide.data(), family, protocol, address, length);
}

INT InetPtonA(INT family, PCSTR text, PVOID address) {
    return parse(family, text, address);
}
INT InetPtonW(INT family, PCWSTR text, PVOID address) {
    return parse(family, ndsim::to_utf8(text), address);
}
PCSTR inet_ntop(INT family, const void* address, PSTR text, size_t size) {
    return print(family, address, text, size);
}
PCWSTR InetNtopW(INT family, const void* address, PWSTR text, size_t size) {
    return print(family, address, text, size);
}
ULONG inet_addr(const char* text) {
    const auto parsed = ndsim::ipv4_address(text);
    return parsed ? parsed->sin_addr.s_addr : INADDR_NONE;
}
char* inet_ntoa(IN_ADDR address) {
    static char text[16];
    *std::ranges::copy(text_of(address), std::begin(text)).out = '\0';
    return std::data(text);
}

INT getaddrinfo(PCSTR node, PCSTR service, const ADDRINFOA* hints, PADDRINFOA* result) {
    return find(node == nullptr ? std::nullopt : std::optional<std::string>(node), service == nullptr ? "" : service,
                hints, result);
}
void freeaddrinfo(PADDRINFOA result) {
    delete reinterpret_cast<Found<ADDRINFOA>*>(result);
}
INT GetAddrInfoW(PCWSTR node, PCWSTR service, const ADDRINFOW* hints, PADDRINFOW* result) {
    return find(node == nullptr ? std::nullopt : std::optional(ndsim::to_utf8(node)),
                service == nullptr ? "" : ndsim::to_utf8(service), hints, result);
}
void FreeAddrInfoW(PADDRINFOW result) {
    delete reinterpret_cast<Found<ADDRINFOW>*>(result);
}
