// SPDX-License-Identifier: Apache-2.0
// The two ways to the provider: loading it as a module, and NDSPI's helper functions.
#include <cstdlib>

#include "ndapi/wsd/ws2san.h"
#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace provider_test {

using GetClassObject = HRESULT(REFCLSID, REFIID, LPVOID*);
using CanUnloadNow = HRESULT();

template <class Function>
Function* export_of(const Functions& functions, const char* name) {
    const HMODULE module = functions.load_library(L"C:\\Windows\\provider.dll", nullptr, 0);
    return reinterpret_cast<Function*>(reinterpret_cast<void*>(functions.proc_address(module, name)));
}

sockaddr_in address_of_nobody() {
    sockaddr_in address = address_of_adapter();
    address.sin_addr.s_addr = htonl(0x0A0000FF);
    return address;
}

const sockaddr* any(const sockaddr_in& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

TEST_CASE("provider: as a module it has a class factory, which makes providers of both versions") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    auto* const get = export_of<GetClassObject>(functions, "DllGetClassObject");
    REQUIRE(get != nullptr);
    void* object = nullptr;
    REQUIRE(get(GUID_NULL, IID_IClassFactory, &object) == S_OK);
    auto* const factory = static_cast<IClassFactory*>(object);
    CHECK(factory->CreateInstance(nullptr, IID_IND2Provider, &object) == S_OK);
    CHECK(object == static_cast<IND2Provider*>(&host.provider2));
    CHECK(factory->CreateInstance(nullptr, IID_INDProvider, &object) == S_OK);
    CHECK(object == static_cast<INDProvider*>(&host.provider1));
    CHECK(factory->CreateInstance(nullptr, IID_IND2Adapter, &object) == E_NOINTERFACE);
    CHECK(object == nullptr);
    CHECK(factory->CreateInstance(&host.provider2, IID_IND2Provider, &object) == CLASS_E_NOAGGREGATION);
    factory->Release();

    CHECK(get(GUID_NULL, IID_IND2Provider, &object) == S_OK);  // without a factory between
    CHECK(object == static_cast<IND2Provider*>(&host.provider2));
    CHECK(get(GUID_NULL, IID_IND2Adapter, &object) == E_NOINTERFACE);

    CHECK(export_of<CanUnloadNow>(functions, "DllCanUnloadNow")() == S_OK);
    host.has_objects = true;
    CHECK(export_of<CanUnloadNow>(functions, "DllCanUnloadNow")() == S_FALSE);
    CHECK(export_of<CanUnloadNow>(functions, "DllMain") == nullptr);
    CHECK(functions.last_error() == ERROR_PROC_NOT_FOUND);
    CHECK(functions.free_library(nullptr) == TRUE);
}

TEST_CASE("provider: on a host without Winsock Direct its start fails, and gives no pointers") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    WSPDATAW data{};
    WSPUPCALLTABLEEX upcalls{};
    WSPPROC_TABLE table{};
    CHECK(program.functions().wsp_startup(0x0202, &data, nullptr, &upcalls, &table) == WSASYSNOTREADY);
    CHECK((table.lpWSPSocket == nullptr && table.lpWSPIoctl == nullptr));
    CHECK(export_of<int()>(program.functions(), "WSPStartupEx") != nullptr);
}

TEST_CASE("provider: its path may have variables of the environment") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    ::setenv("NDSIM_TEST_ROOT", "here", 1);
    ::unsetenv("NDSIM_TEST_NONE");
    const auto expanded = [&](const wchar_t* text) {
        std::vector<wchar_t> buffer(100);
        const DWORD length = program.functions().expand(text, buffer.data(), 100);
        CHECK(length == std::wstring(buffer.data()).size() + 1);
        return std::wstring(buffer.data());
    };
    CHECK(expanded(L"%NDSIM_TEST_ROOT%\\a.dll") == L"here\\a.dll");
    CHECK(expanded(L"a %NDSIM_TEST_NONE% b %NDSIM_TEST_ROOT%") == L"a %NDSIM_TEST_NONE% b here");
    CHECK(expanded(L"100% of it") == L"100% of it");
    CHECK(program.functions().expand(L"abc", nullptr, 0) == 4);
}

TEST_CASE("provider: the helper functions find the adapter by its address") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    CHECK(functions.nd_startup() == ND_SUCCESS);
    const sockaddr_in mine = address_of_adapter();
    const sockaddr_in other = address_of_nobody();
    CHECK(functions.check_address(any(mine), sizeof(mine)) == ND_SUCCESS);
    CHECK(functions.check_address(any(other), sizeof(other)) == ND_INVALID_ADDRESS);

    void* object = &host;
    CHECK(functions.open_adapter(IID_IND2Adapter, any(other), sizeof(other), &object) == ND_INVALID_ADDRESS);
    CHECK(object == nullptr);
    CHECK(functions.open_adapter(IID_IND2Adapter, any(mine), sizeof(mine), &object) == ND_NO_MEMORY);
    CHECK(host.provider2.opened == kAdapterId);
    INDAdapter* adapter = nullptr;
    CHECK(functions.open_v1_adapter(any(mine), sizeof(mine), &adapter) == ND_NO_MEMORY);
    CHECK(functions.open_v1_adapter(any(other), sizeof(other), &adapter) == ND_INVALID_ADDRESS);

    sockaddr_in local{};
    SIZE_T size = sizeof(local);
    CHECK(functions.resolve_address(any(other), sizeof(other), reinterpret_cast<sockaddr*>(&local), &size) ==
          ND_SUCCESS);
    CHECK(local.sin_addr.s_addr == mine.sin_addr.s_addr);
    size = 3;
    CHECK(functions.resolve_address(any(other), sizeof(other), nullptr, &size) == ND_BUFFER_OVERFLOW);
    CHECK(size == sizeof(local));
    CHECK(functions.resolve_address(any(other), 3, nullptr, &size) == ND_INVALID_ADDRESS);

    CHECK(host.provider2.references == 0);  // all are given back
    CHECK(host.provider1.references == 0);
}

TEST_CASE("provider: the list of addresses, and leaving out a version") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    constexpr DWORD kNeither = ND_QUERY_EXCLUDE_NDv1_ADDRESSES | ND_QUERY_EXCLUDE_NDv2_ADDRESSES;
    for (const DWORD flags : {DWORD{0}, ND_QUERY_EXCLUDE_EMULATED_ADDRESSES, ND_QUERY_EXCLUDE_NDv1_ADDRESSES,
                              ND_QUERY_EXCLUDE_NDv2_ADDRESSES}) {
        SIZE_T size = 0;
        CHECK(functions.query_addresses(flags, nullptr, &size) == ND_BUFFER_OVERFLOW);
        REQUIRE(size == sizeof(OneAddress));
        OneAddress addresses{};
        CHECK(functions.query_addresses(flags, &addresses.list, &size) == ND_SUCCESS);
        CHECK(addresses.list.iAddressCount == 1);
    }
    SIZE_T size = 0;
    CHECK(functions.query_addresses(kNeither, nullptr, &size) == ND_BUFFER_OVERFLOW);
    CHECK(size == 8);  // the count, and the array's alignment
    SOCKET_ADDRESS_LIST none{};
    none.iAddressCount = 5;
    CHECK(functions.query_addresses(kNeither, &none, &size) == ND_SUCCESS);
    CHECK(none.iAddressCount == 0);
}

}  // namespace provider_test
