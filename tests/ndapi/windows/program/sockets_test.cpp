// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace sockets_test {

struct Parsed {
    int result = 0;
    int error = 0;
    sockaddr_in6 address{};  // of either family: the beginnings are alike
    INT length = sizeof(sockaddr_in6);
};

Parsed parse(const Functions& functions, std::wstring text, int family, INT room = sizeof(sockaddr_in6)) {
    Parsed parsed;
    parsed.length = room;
    parsed.result = functions.string_to_address(text.data(), family, nullptr,
                                                reinterpret_cast<sockaddr*>(&parsed.address), &parsed.length);
    parsed.error = parsed.result == 0 ? 0 : functions.socket_error();
    return parsed;
}

sockaddr_in ipv4_of(const Parsed& parsed) {
    sockaddr_in address;
    std::memcpy(&address, &parsed.address, sizeof(address));
    return address;
}

TEST_CASE("sockets: WSAStartup says which version there is") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    WSADATA data;
    CHECK(program.functions().startup(0x0202, &data) == 0);  // MAKEWORD(2, 2)
    CHECK((data.wVersion == 0x0202 && data.wHighVersion == 0x0202));
    CHECK(program.functions().startup(0x0001 | (1 << 8), &data) == 0);  // 1.1
    CHECK(data.wVersion == 0x0101);
    CHECK(program.functions().startup(0, &data) == WSAVERNOTSUPPORTED);
}

TEST_CASE("sockets: an address as text, with or without a port") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const Parsed plain = parse(functions, L"10.0.0.2", AF_INET);
    CHECK(plain.result == 0);
    CHECK(plain.length == 16);
    CHECK(ipv4_of(plain).sin_family == AF_INET);
    CHECK(ipv4_of(plain).sin_addr.S_un.S_addr == htonl(0x0A000002));
    CHECK(ipv4_of(plain).sin_port == 0);
    CHECK(ipv4_of(parse(functions, L"10.0.0.2:54326", AF_INET)).sin_port == htons(54326));
    CHECK(ipv4_of(parse(functions, L"0.0.0.0:65535", AF_INET)).sin_port == 0xFFFF);

    const Parsed version6 = parse(functions, L"[fe80::1]:5000", AF_INET6);
    CHECK(version6.result == 0);
    CHECK(version6.length == 28);
    CHECK(version6.address.sin6_family == AF_INET6);
    CHECK(version6.address.sin6_port == htons(5000));
    CHECK((version6.address.sin6_addr.u.Byte[0] == 0xFE && version6.address.sin6_addr.u.Byte[15] == 1));
    CHECK(parse(functions, L"fe80::1", AF_INET6).result == 0);
    CHECK(parse(functions, L"[::]", AF_INET6).result == 0);
}

TEST_CASE("sockets: what is no address") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    for (const wchar_t* text : {L"", L"A", L"10.0.0", L"10.0.0.256", L"10.0.0.2:", L"10.0.0.2:65536", L"10.0.0.2:5x",
                                L"10.0.0.2:-1", L"fe80::1"}) {
        const Parsed parsed = parse(functions, text, AF_INET);
        CHECK((parsed.result == SOCKET_ERROR && parsed.error == WSAEINVAL));
    }
    for (const wchar_t* text : {L"10.0.0.2", L"[fe80::1", L"[fe80::1]x", L"fe80:::1"}) {
        CHECK(parse(functions, text, AF_INET6).error == WSAEINVAL);
    }
    CHECK(parse(functions, L"10.0.0.2", 99).error == WSAEINVAL);
    const Parsed short_of_room = parse(functions, L"10.0.0.2", AF_INET, 15);
    CHECK((short_of_room.error == WSAEFAULT && short_of_room.length == 16));
}

TEST_CASE("sockets: a socket to ask about addresses") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const SOCKET socket = functions.socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP, nullptr, 0, WSA_FLAG_OVERLAPPED);
    REQUIRE(socket != INVALID_SOCKET);

    DWORD returned = 0;
    OVERLAPPED change{};
    CHECK(functions.ioctl(socket, SIO_ADDRESS_LIST_CHANGE, nullptr, 0, nullptr, 0, &returned, &change, nullptr) ==
          SOCKET_ERROR);
    CHECK(functions.socket_error() == WSA_IO_PENDING);
    CHECK(change.Internal == 0x103);  // STATUS_PENDING, and it stays so

    sockaddr_in remote{};
    remote.sin_family = AF_INET;
    sockaddr_in local{};
    CHECK(functions.ioctl(socket, SIO_ROUTING_INTERFACE_QUERY, &remote, sizeof(remote), &local, sizeof(local),
                          &returned, nullptr, nullptr) == 0);
    CHECK(returned == sizeof(sockaddr_in));
    CHECK(local.sin_addr.s_addr == htonl(0x0A000001));  // the adapter's
    CHECK(functions.ioctl(socket, SIO_ROUTING_INTERFACE_QUERY, &remote, sizeof(remote), &local, 8, &returned, nullptr,
                          nullptr) == SOCKET_ERROR);
    CHECK(functions.socket_error() == WSAEFAULT);
    remote.sin_family = 7;
    CHECK(functions.ioctl(socket, SIO_ROUTING_INTERFACE_QUERY, &remote, sizeof(remote), &local, sizeof(local),
                          &returned, nullptr, nullptr) == SOCKET_ERROR);
    CHECK(functions.socket_error() == WSAENETUNREACH);
    CHECK(functions.ioctl(socket, 1, nullptr, 0, nullptr, 0, &returned, nullptr, nullptr) == SOCKET_ERROR);
    CHECK(functions.socket_error() == WSAEOPNOTSUPP);
    CHECK(host.provider2.references == 0);

    CHECK(functions.close_socket(socket) == 0);
    CHECK(functions.close_socket(socket) == SOCKET_ERROR);
    CHECK(functions.socket_error() == WSAENOTSOCK);
}

TEST_CASE("sockets: a port accepts one, whatever it is for") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const HANDLE port = functions.create_port(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
        const SOCKET socket = functions.socket(AF_INET, type, 0, nullptr, 0, WSA_FLAG_OVERLAPPED);
        CHECK(functions.create_port(reinterpret_cast<HANDLE>(socket), port, 5, 0) == port);
        CHECK(functions.close_socket(socket) == 0);
    }
    const SOCKET socket = functions.socket(AF_INET, SOCK_STREAM, 0, nullptr, 0, 0);
    CHECK(functions.create_port(reinterpret_cast<HANDLE>(socket), nullptr, 5, 0) != nullptr);
    const HANDLE event = functions.create_event(nullptr, TRUE, FALSE, nullptr);
    CHECK(functions.create_port(event, port, 5, 0) == nullptr);  // no file
    CHECK(functions.last_error() == ERROR_INVALID_HANDLE);
}

TEST_CASE("sockets: the catalogue has NetworkDirect for both versions") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    DWORD size = 0;
    int error = 0;
    CHECK(functions.enum_protocols(nullptr, nullptr, &size, &error) == SOCKET_ERROR);
    CHECK(error == WSAENOBUFS);
    REQUIRE(size == 2 * sizeof(WSAPROTOCOL_INFOW));
    std::array<WSAPROTOCOL_INFOW, 2> entries;
    REQUIRE(functions.enum_protocols(nullptr, entries.data(), &size, &error) == 2);
    CHECK(entries[0].iVersion == 0x20000);  // ND_VERSION_2, by which Microsoft's loaders look for it
    CHECK(entries[1].iVersion == 1);        // ND_VERSION_1
    CHECK(entries[0].dwCatalogEntryId != entries[1].dwCatalogEntryId);
    for (WSAPROTOCOL_INFOW& entry : entries) {  // ndspi.md 1
        CHECK(entry.dwServiceFlags1 ==
              (XP1_GUARANTEED_DELIVERY | XP1_GUARANTEED_ORDER | XP1_MESSAGE_ORIENTED | XP1_CONNECT_DATA));
        CHECK(entry.dwProviderFlags == (PFL_HIDDEN | PFL_NETWORKDIRECT_PROVIDER));
        CHECK((entry.iAddressFamily == AF_INET && entry.iSocketType == -1));
        CHECK((entry.iProtocol == 0 && entry.iProtocolMaxOffset == 0));

        std::array<WCHAR, MAX_PATH> path;
        INT length = MAX_PATH;
        CHECK(functions.provider_path(&entry.ProviderId, path.data(), &length, &error) == 0);
        CHECK(length == static_cast<INT>(std::wstring(path.data()).size()) + 1);
        length = 3;
        CHECK(functions.provider_path(&entry.ProviderId, path.data(), &length, &error) == SOCKET_ERROR);
        CHECK(error == WSAEFAULT);
    }
    CHECK(!(entries[0].ProviderId == entries[1].ProviderId));
    GUID unknown{};
    INT length = 0;
    CHECK(functions.provider_path(&unknown, nullptr, &length, &error) == SOCKET_ERROR);
    CHECK(error == WSAEINVAL);
}

}  // namespace sockets_test
