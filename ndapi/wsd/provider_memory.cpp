// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "ndapi/wsd/answers.hpp"
#include "ndapi/wsd/provider.hpp"

// The calls that register memory.
namespace ndsim::wsd {

namespace {

// The rights for MEM_READ, MEM_WRITE and both: for the owner alone, and for the peer (wsd.md 5.2).
constexpr std::uint8_t kLocalRights[] = {kLocalRead, kLocalWrite, kLocalWrite};
constexpr std::uint8_t kPeerRights[] = {kRemoteRead, kLocalWrite | kRemoteWrite,
                                        kLocalWrite | kRemoteRead | kRemoteWrite};

// The rights and the memory that a registration asks for.
struct Wish {
    DWORD flags = 0;
    MemoryRange range;
};

[[nodiscard]] int check(const Socket& socket, const Wish& wish, std::uint32_t most) {
    if (wish.flags < MEM_READ || wish.flags > MEM_READWRITE) {
        return WSAEINVAL;
    }
    if (wish.range.length == 0 || wish.range.length > most || !is_user_memory(wish.range.data, wish.range.length)) {
        return WSAEFAULT;
    }
    return socket.is_connected() ? 0 : WSAENOTCONN;
}

}  // namespace

HANDLE Provider::WSPRegisterMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return nullptr;
    }
    const Wish wish{dwFlags, {static_cast<std::byte*>(lpBuffer), dwBufferLength}};
    HANDLE handle = nullptr;
    int code = check(*socket, wish, setting_.options.max_message);
    if (code == 0) {
        code = socket->registrations().add(wish.range, kLocalRights[dwFlags - MEM_READ], handle);
    }
    if (code != 0) {
        refuse(code, lpErrno);
    }
    return handle;
}

int Provider::WSPDeregisterMemory(SOCKET s, HANDLE Handle, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    return socket == nullptr ? SOCKET_ERROR : answer(socket->registrations().remove(Handle), lpErrno);
}

int Provider::WSPRegisterRdmaMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags,
                                    LPVOID lpRdmaBufferDescriptor, LPDWORD lpdwDescriptorLength, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if (lpdwDescriptorLength == nullptr) {
        return refuse(WSAEFAULT, lpErrno);
    }
    const DWORD room = lpRdmaBufferDescriptor == nullptr ? 0 : *lpdwDescriptorLength;
    *lpdwDescriptorLength = sizeof(Descriptor);
    if (room < sizeof(Descriptor)) {
        return refuse(WSAEFAULT, lpErrno);  // the switch asks for the length this way
    }
    const Wish wish{dwFlags, {static_cast<std::byte*>(lpBuffer), dwBufferLength}};
    Descriptor descriptor;
    int code = check(*socket, wish, setting_.options.max_message);
    if (code == 0) {
        code = socket->registrations().open(wish.range, kPeerRights[dwFlags - MEM_READ], descriptor);
    }
    if (code == 0) {
        std::memcpy(lpRdmaBufferDescriptor, &descriptor, sizeof descriptor);
    }
    return answer(code, lpErrno);
}

int Provider::WSPDeregisterRdmaMemory(SOCKET s, LPVOID lpRdmaBufferDescriptor, DWORD dwDescriptorLength,
                                      LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    const auto descriptor = descriptor_of(lpRdmaBufferDescriptor, dwDescriptorLength);
    return answer(descriptor ? socket->registrations().shut(*descriptor) : WSAEINVAL, lpErrno);
}

// For all sockets: the call names none.
int Provider::WSPMemoryRegistrationCacheCallback(PVOID lpvAddress, SIZE_T Size, LPINT lpErrno) {
    if (const int code = may_make_socket(lpErrno); code != 0) {
        return refuse(code, lpErrno);
    }
    if (!setting_.options.cache_callback) {
        return refuse(WSAEOPNOTSUPP, lpErrno);
    }
    int code = WSAEINVAL;
    for (const auto& [descriptor, socket] : sockets_) {
        switch (socket->registrations().drop_cached({static_cast<std::byte*>(lpvAddress), Size})) {
            case Registrations::Dropped::nothing:
                break;
            case Registrations::Dropped::all:
                code = code == WSAEINVAL ? 0 : code;
                break;
            case Registrations::Dropped::not_all:
                code = WSAEFAULT;
                break;
        }
    }
    return answer(code, lpErrno);
}

}  // namespace ndsim::wsd
