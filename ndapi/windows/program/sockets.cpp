// SPDX-License-Identifier: Apache-2.0
// Winsock: its errors are last errors, as on Windows. A socket is a file of the program on which nothing happens.
#include "ndapi/windows/abi/sockets.h"

#include <bit>
#include <cstring>
#include <optional>

#include "ndapi/windows/program/addresses.hpp"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/provider.hpp"
#include "ndapi/windows/program/utf8.hpp"

using ndsim::host;

namespace {

int failed(int error) {
    WSASetLastError(error);
    return SOCKET_ERROR;
}

template <class Address>
int store(const std::optional<Address>& parsed, LPSOCKADDR address, LPINT length) {
    if (!parsed) {
        return failed(WSAEINVAL);
    }
    const bool fits = *length >= static_cast<INT>(sizeof(Address));
    *length = sizeof(Address);
    if (!fits) {
        return failed(WSAEFAULT);
    }
    std::memcpy(address, &*parsed, sizeof(Address));
    return 0;
}

int ask_for_route(const sockaddr* destination, DWORD size, LPVOID output, DWORD output_size, LPDWORD returned) {
    if (destination == nullptr || size < sizeof(sockaddr_in) || returned == nullptr) {
        return failed(WSAEFAULT);
    }
    SIZE_T length = output_size;
    const HRESULT result = ndsim::local_address(destination->sa_family, static_cast<sockaddr*>(output), length);
    *returned = static_cast<DWORD>(length);
    if (result == ND_BUFFER_OVERFLOW) {
        return failed(WSAEFAULT);
    }
    return SUCCEEDED(result) ? 0 : failed(WSAENETUNREACH);
}

// Neither addresses nor providers change, so who waits for that without an overlapped waits for ever.
int wait_for_change(LPWSAOVERLAPPED overlapped) {
    if (overlapped == nullptr) {
        host().sleep(INFINITE);
        return 0;
    }
    overlapped->Internal = static_cast<ULONG_PTR>(STATUS_PENDING);
    return failed(WSA_IO_PENDING);
}

}  // namespace

int WSAStartup(WORD version, LPWSADATA data) {
    constexpr WORD kHighest = 0x0202;  // the low byte is the major number
    const auto major_first = [](WORD of) { return (of & 0xFF) << 8 | of >> 8; };
    *data = {};
    data->wVersion = major_first(version) <= major_first(kHighest) ? version : kHighest;
    data->wHighVersion = kHighest;
    return (version & 0xFF) == 0 ? WSAVERNOTSUPPORTED : 0;
}
int WSACleanup() {
    return 0;
}
int WSAGetLastError() {
    return static_cast<int>(host().last_error());
}
void WSASetLastError(int error) {
    host().set_last_error(static_cast<DWORD>(error));
}

INT WSAStringToAddressW(LPWSTR text, INT family, LPWSAPROTOCOL_INFOW, LPSOCKADDR address, LPINT length) {
    if (text == nullptr || address == nullptr || length == nullptr) {
        return failed(WSAEFAULT);
    }
    if (family == AF_INET) {
        return store(ndsim::ipv4_address(ndsim::to_utf8(text)), address, length);
    }
    if (family == AF_INET6) {
        return store(ndsim::ipv6_address(ndsim::to_utf8(text)), address, length);
    }
    return failed(WSAEINVAL);
}

SOCKET WSASocketW(int, int, int, LPWSAPROTOCOL_INFOW, GROUP, DWORD) {
    HANDLE file = host().create_file();
    return file == nullptr ? INVALID_SOCKET : std::bit_cast<SOCKET>(file);
}
SOCKET WSASocketA(int family, int type, int protocol, LPWSAPROTOCOL_INFOA, GROUP group, DWORD flags) {
    return WSASocketW(family, type, protocol, nullptr, group, flags);
}
int closesocket(SOCKET socket) {
    const bool closed = host().close_handle(std::bit_cast<HANDLE>(socket)) == 0;
    return closed ? 0 : failed(WSAENOTSOCK);
}

int ioctlsocket(SOCKET, LONG command, u_long* value) {
    if (value == nullptr) {
        return failed(WSAEFAULT);
    }
    if (command == FIONREAD) {
        *value = 0;
    }
    return command == FIONREAD || command == FIONBIO ? 0 : failed(WSAEOPNOTSUPP);
}
int WSAIoctl(SOCKET, DWORD code, LPVOID input, DWORD input_size, LPVOID output, DWORD output_size, LPDWORD returned,
             LPWSAOVERLAPPED overlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE) {
    if (code == SIO_ADDRESS_LIST_CHANGE) {
        return wait_for_change(overlapped);
    }
    if (code == SIO_ROUTING_INTERFACE_QUERY) {
        return ask_for_route(static_cast<const sockaddr*>(input), input_size, output, output_size, returned);
    }
    return failed(WSAEOPNOTSUPP);
}

int WSAProviderConfigChange(LPHANDLE handle, LPWSAOVERLAPPED overlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE) {
    if (handle == nullptr) {
        return failed(WSAEFAULT);
    }
    if (*handle != nullptr) {
        return wait_for_change(overlapped);
    }
    *handle = host().create_file();
    return *handle == nullptr ? failed(WSAENOBUFS) : 0;
}
