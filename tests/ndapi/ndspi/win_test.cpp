// SPDX-License-Identifier: Apache-2.0
// The Windows types that NDSPI's clients use against win.md 1 and Windows' own 64-bit layouts.
#include <cstddef>
#include <type_traits>

#include "ndapi/windows/abi/overlapped.h"
#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/abi/socket_address.h"
#include "ndapi/windows/abi/unknown.h"
#include "tests/support/catch.hpp"

namespace win_test {

// What clients do with the structure: something of their own behind it, found again through the base.
struct Request : OVERLAPPED {
    int number = 0;
};

TEST_CASE("win: an OVERLAPPED has its 64-bit layout and may be a base class") {
    STATIC_REQUIRE(sizeof(OVERLAPPED) == 32);  // two ULONG_PTR, 8 bytes of union, a handle
    STATIC_REQUIRE(offsetof(OVERLAPPED, Internal) == 0);
    STATIC_REQUIRE(offsetof(OVERLAPPED, InternalHigh) == 8);
    STATIC_REQUIRE(offsetof(OVERLAPPED, Offset) == 16);
    STATIC_REQUIRE(offsetof(OVERLAPPED, OffsetHigh) == 20);
    STATIC_REQUIRE(offsetof(OVERLAPPED, Pointer) == 16);
    STATIC_REQUIRE(offsetof(OVERLAPPED, hEvent) == 24);

    Request request{};
    request.number = 7;
    OVERLAPPED* const queued = &request;
    CHECK(static_cast<Request*>(queued)->number == 7);
}

TEST_CASE("win: handles and times that mean none and for ever") {
    CHECK(reinterpret_cast<ULONG_PTR>(INVALID_HANDLE_VALUE) == 0xFFFFFFFFFFFFFFFF);  // -1
    STATIC_REQUIRE(INFINITE == 0xFFFFFFFF);
}

TEST_CASE("win: results are signed, and Win32 errors become failures of facility 7") {
    STATIC_REQUIRE((sizeof(HRESULT) == 4 && std::is_signed_v<HRESULT>));  // win.md 1
    STATIC_REQUIRE((SUCCEEDED(S_OK) && SUCCEEDED(S_FALSE) && FAILED(E_NOINTERFACE) && FAILED(CLASS_E_NOAGGREGATION)));
    // 0x8007 before the code: ERROR_ACCESS_DENIED is 5, ERROR_INVALID_HANDLE 6, ERROR_INVALID_PARAMETER 87
    STATIC_REQUIRE(HRESULT_FROM_WIN32(5) == E_ACCESSDENIED);
    STATIC_REQUIRE(HRESULT_FROM_WIN32(6) == E_HANDLE);
    STATIC_REQUIRE(HRESULT_FROM_WIN32(87) == E_INVALIDARG);
    STATIC_REQUIRE(HRESULT_FROM_WIN32(0) == S_OK);
    STATIC_REQUIRE(HRESULT_FROM_WIN32(static_cast<DWORD>(E_FAIL)) == E_FAIL);
}

TEST_CASE("win: GUIDs compare, also through their functions") {
    CHECK((IsEqualGUID(IID_IUnknown, IID_IUnknown) && !IsEqualIID(IID_IUnknown, IID_IClassFactory)));
    CHECK((InlineIsEqualGUID(GUID{}, GUID_NULL) && !IsEqualCLSID(GUID_NULL, IID_IUnknown)));
}

TEST_CASE("win: lists of addresses have their 64-bit layout") {
    STATIC_REQUIRE((sizeof(SOCKET_ADDRESS) == 16 && offsetof(SOCKET_ADDRESS, iSockaddrLength) == 8));
    // n addresses need 8 + 16 n bytes, and room for what they point at
    STATIC_REQUIRE((sizeof(SOCKET_ADDRESS_LIST) == 24 && offsetof(SOCKET_ADDRESS_LIST, Address) == 8));
}

TEST_CASE("win: an interface is a pointer to its table and nothing else") {
    STATIC_REQUIRE((sizeof(IUnknown) == 8 && std::is_abstract_v<IUnknown>));
    STATIC_REQUIRE((sizeof(IClassFactory) == 8 && std::is_base_of_v<IUnknown, IClassFactory>));
    STATIC_REQUIRE((!std::has_virtual_destructor_v<IUnknown> && !std::has_virtual_destructor_v<IClassFactory>));
    STATIC_REQUIRE(std::is_abstract_v<ndsim::ProgramHost>);
}

}  // namespace win_test
