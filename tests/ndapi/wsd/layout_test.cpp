// SPDX-License-Identifier: Apache-2.0
// Layouts, values and names of Winsock Direct against wsd.md, whose sections the comments name. They are those of
// 64-bit Windows, where a pointer, a handle and a socket have 8 bytes, an int and a DWORD 4.
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "ndapi/wsd/provider.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::layout_test {

// Places in a table of function pointers, 8 bytes each.
constexpr std::size_t place(std::size_t offset) {
    return offset / sizeof(void*);
}

template <class Face>
constexpr bool has_unreached = requires(Face& face) {
    face.WSPShutdown(SOCKET{}, 0, LPINT{});
}
|| requires(Face& face) {
    face.WSPSendDisconnect(SOCKET{}, LPWSABUF{}, LPINT{});
}
|| requires(Face& face) {
    face.WSPRecvDisconnect(SOCKET{}, LPWSABUF{}, LPINT{});
}
|| requires(Face& face) {
    face.WSPCancelBlockingCall(LPINT{});
};

struct ErrorValue {
    int error;
    int value;
};

TEST_CASE("wsd: sizes and offsets of its structures") {
    STATIC_REQUIRE((sizeof(WSABUF) == 16 && offsetof(WSABUF, buf) == 8));  // 2
    STATIC_REQUIRE((sizeof(WSABUFEX) == 24 && offsetof(WSABUFEX, buf) == 8 && offsetof(WSABUFEX, handle) == 16));
    STATIC_REQUIRE((sizeof(WSATHREADID) == 16 && offsetof(WSATHREADID, Reserved) == 8));
    STATIC_REQUIRE(sizeof(WSAOVERLAPPED) == 32);
    STATIC_REQUIRE((offsetof(WSAOVERLAPPED, Internal) == 0 && offsetof(WSAOVERLAPPED, InternalHigh) == 8));
    STATIC_REQUIRE((offsetof(WSAOVERLAPPED, Offset) == 16 && offsetof(WSAOVERLAPPED, OffsetHigh) == 20));
    STATIC_REQUIRE(offsetof(WSAOVERLAPPED, hEvent) == 24);
    STATIC_REQUIRE((sizeof(WSANETWORKEVENTS) == 44 && offsetof(WSANETWORKEVENTS, iErrorCode) == 4));  // 4 and 10 x 4
    STATIC_REQUIRE(sizeof(wsd::Descriptor) == 24);                                                    // 5.2
}

TEST_CASE("wsd: constants have Windows' values") {
    STATIC_REQUIRE((SOCKET_ERROR == -1 && INVALID_SOCKET == ~SOCKET{0}));  // 2
    STATIC_REQUIRE((SOL_SOCKET == 0xFFFF && SO_DEBUG == 1 && SO_GROUP_ID == 0x2001 && SO_GROUP_PRIORITY == 0x2002));
    STATIC_REQUIRE((FD_READ == 0x01 && FD_WRITE == 0x02 && FD_OOB == 0x04 && FD_CLOSE == 0x20));
    STATIC_REQUIRE((SO_MAX_MSG_SIZE == 0x2003 && SO_MAX_RDMA_SIZE == 0x700D && SO_RDMA_THRESHOLD_SIZE == 0x700E));
    STATIC_REQUIRE((WSA_FLAG_OVERLAPPED == 1 && MSG_OOB == 1 && MSG_PARTIAL == 0x8000));
    STATIC_REQUIRE((MEM_READ == 1 && MEM_WRITE == 2 && MEM_READWRITE == 3));
    STATIC_REQUIRE((SIO_GET_EXTENSION_FUNCTION_POINTER == 0xC8000006 && FD_ACCEPT == 0x08 && FD_CONNECT == 0x10));
    STATIC_REQUIRE((CF_ACCEPT == 0 && CF_REJECT == 1 && CF_DEFER == 2 && WSS_OPERATION_IN_PROGRESS == 0x103));
}

TEST_CASE("wsd: error codes have Windows' values") {
    constexpr ErrorValue kErrors[] = {// 2.1
                                      {WSA_INVALID_HANDLE, 6},     {WSA_NOT_ENOUGH_MEMORY, 8},
                                      {WSA_INVALID_PARAMETER, 87}, {WSA_OPERATION_ABORTED, 995},
                                      {WSA_IO_INCOMPLETE, 996},    {WSA_IO_PENDING, 997},
                                      {WSAEINTR, 10004},           {WSAEBADF, 10009},
                                      {WSAEACCES, 10013},          {WSAEFAULT, 10014},
                                      {WSAEINVAL, 10022},          {WSAEMFILE, 10024},
                                      {WSAEWOULDBLOCK, 10035},     {WSAEINPROGRESS, 10036},
                                      {WSAEALREADY, 10037},        {WSAENOTSOCK, 10038},
                                      {WSAEDESTADDRREQ, 10039},    {WSAEMSGSIZE, 10040},
                                      {WSAEPROTOTYPE, 10041},      {WSAENOPROTOOPT, 10042},
                                      {WSAEPROTONOSUPPORT, 10043}, {WSAESOCKTNOSUPPORT, 10044},
                                      {WSAEOPNOTSUPP, 10045},      {WSAEPFNOSUPPORT, 10046},
                                      {WSAEAFNOSUPPORT, 10047},    {WSAEADDRINUSE, 10048},
                                      {WSAEADDRNOTAVAIL, 10049},   {WSAENETDOWN, 10050},
                                      {WSAENETUNREACH, 10051},     {WSAENETRESET, 10052},
                                      {WSAECONNABORTED, 10053},    {WSAECONNRESET, 10054},
                                      {WSAENOBUFS, 10055},         {WSAEISCONN, 10056},
                                      {WSAENOTCONN, 10057},        {WSAESHUTDOWN, 10058},
                                      {WSAETIMEDOUT, 10060},       {WSAECONNREFUSED, 10061},
                                      {WSAEHOSTUNREACH, 10065},    {WSASYSNOTREADY, 10091},
                                      {WSAVERNOTSUPPORTED, 10092}, {WSANOTINITIALISED, 10093},
                                      {WSAEDISCON, 10101},         {WSATRY_AGAIN, 11002}};
    for (const ErrorValue& each : kErrors) {
        CHECK(each.error == each.value);
    }
}

TEST_CASE("wsd: the table of upcalls has 16 entries in their order") {
    STATIC_REQUIRE(sizeof(WSPUPCALLTABLEEX) == 16 * 8);  // 2
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCloseEvent)) == 0);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCloseSocketHandle)) == 1);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCreateEvent)) == 2);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCreateSocketHandle)) == 3);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUFDIsSet)) == 4);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUGetProviderPath)) == 5);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUModifyIFSHandle)) == 6);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUPostMessage)) == 7);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUQueryBlockingCallback)) == 8);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUQuerySocketHandleContext)) == 9);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUQueueApc)) == 10);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUResetEvent)) == 11);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUSetEvent)) == 12);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUOpenCurrentThread)) == 13);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCloseThread)) == 14);
    STATIC_REQUIRE(place(offsetof(WSPUPCALLTABLEEX, lpWPUCompleteOverlappedRequest)) == 15);
}

// As Winsock's own table has them: 30, by their names.
TEST_CASE("wsd: the table of a provider's functions") {
    STATIC_REQUIRE(sizeof(WSPPROC_TABLE) == 30 * 8);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPAccept)) == 0);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPCloseSocket)) == 6);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPGetOverlappedResult)) == 11);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPIoctl)) == 16);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPRecv)) == 19);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPSend)) == 23);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPSocket)) == 28);
    STATIC_REQUIRE(place(offsetof(WSPPROC_TABLE, lpWSPStringToAddress)) == 29);
}

TEST_CASE("wsd: WSPSend has the parameters of its page", "[W2]") {
    STATIC_REQUIRE(std::is_same_v<LPWSPSEND, int (*)(SOCKET, WSABUF*, DWORD, DWORD*, DWORD, OVERLAPPED*,
                                                     LPWSAOVERLAPPED_COMPLETION_ROUTINE, WSATHREADID*, int*)>);  // 3.1
    STATIC_REQUIRE(std::is_same_v<decltype(&wsd::Wsp::WSPSend),
                                  int (wsd::Wsp::*)(SOCKET, WSABUF*, DWORD, DWORD*, DWORD, OVERLAPPED*,
                                                    LPWSAOVERLAPPED_COMPLETION_ROUTINE, WSATHREADID*, int*)>);
}

TEST_CASE("wsd: the functions of the extensions have the parameters of their pages") {
    STATIC_REQUIRE(std::is_same_v<LPFN_WSPREGISTERMEMORY, HANDLE (*)(SOCKET, void*, DWORD, DWORD, int*)>);  // 5.2
    STATIC_REQUIRE(std::is_same_v<LPFN_WSPDEREGISTERMEMORY, int (*)(SOCKET, HANDLE, int*)>);
    STATIC_REQUIRE(
        std::is_same_v<LPFN_WSPREGISTERRDMAMEMORY, int (*)(SOCKET, void*, DWORD, DWORD, void*, DWORD*, int*)>);
    STATIC_REQUIRE(std::is_same_v<LPFN_WSPDEREGISTERRDMAMEMORY, int (*)(SOCKET, void*, DWORD, int*)>);
    STATIC_REQUIRE(std::is_same_v<LPFN_WSPMEMORYREGISTRATIONCACHECALLBACK, int (*)(void*, SIZE_T, int*)>);
    STATIC_REQUIRE(std::is_same_v<LPFN_WSPRDMAREAD,
                                  int (*)(SOCKET, WSABUFEX*, DWORD, void*, DWORD, DWORD, DWORD*, DWORD, OVERLAPPED*,
                                          LPWSAOVERLAPPED_COMPLETION_ROUTINE, WSATHREADID*, int*)>);  // 5.3
}

// C0B422F5-F58C-11d1-AD6C-00C04FA34A2D, and from there on; the last one is a family of its own.
TEST_CASE("wsd: the GUIDs of the extensions") {
    constexpr GUID kAll[] = {WSAID_REGISTERMEMORY,       WSAID_DEREGISTERMEMORY, WSAID_REGISTERRDMAMEMORY,
                             WSAID_DEREGISTERRDMAMEMORY, WSAID_RDMAWRITE,        WSAID_RDMAREAD};
    constexpr UCHAR kTail[] = {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D};
    ULONG first = 0xC0B422F5;
    for (const GUID& each : kAll) {
        CHECK(each.Data1 == first++);
        CHECK((each.Data2 == 0xF58C && each.Data3 == 0x11D1));
        CHECK(std::memcmp(each.Data4, kTail, sizeof kTail) == 0);
    }
    const GUID& callback = WSAID_MEMORYREGISTRATIONCACHECALLBACK;
    constexpr UCHAR kCallbackTail[] = {0xA7, 0x99, 0x63, 0x37, 0xA9, 0x8E, 0xD2, 0xAF};
    CHECK((callback.Data1 == 0xE5DA4AF8 && callback.Data2 == 0xD824 && callback.Data3 == 0x48CD));
    CHECK(std::memcmp(callback.Data4, kCallbackTail, sizeof kCallbackTail) == 0);
}

TEST_CASE("wsd: a provider has nothing that the switch does by itself", "[W102]") {
    STATIC_REQUIRE(!has_unreached<wsd::Wsp>);
    STATIC_REQUIRE(!has_unreached<wsd::Provider>);
}

TEST_CASE("wsd: memory that a program can have") {
    const std::byte here{};
    CHECK(wsd::is_user_memory(&here, 1));
    CHECK_FALSE(wsd::is_user_memory(nullptr, 1));
    CHECK_FALSE(wsd::is_user_memory(reinterpret_cast<const void*>(0x0000'8000'0000'0000), 1));  // 2^47
    CHECK(wsd::is_user_memory(reinterpret_cast<const void*>(0x0000'7FFF'FFFF'F000), 0x1000));
    CHECK_FALSE(wsd::is_user_memory(reinterpret_cast<const void*>(0x0000'7FFF'FFFF'F000), 0x1001));
}

}  // namespace ndsim::test::layout_test
