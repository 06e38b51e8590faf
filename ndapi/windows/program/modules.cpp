// SPDX-License-Identifier: Apache-2.0
// The provider as a module that a program loads: its exports, and the class factory behind the first.
#include "ndapi/windows/abi/modules.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/unknown.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/utf8.hpp"
#include "ndapi/wsd/ws2san_functions.h"

using ndsim::host;

namespace {

// Has no state, so there is one for ever and references are not counted.
class Factory final : public IClassFactory {
public:
    HRESULT QueryInterface(REFIID riid, VOID** ppvObject) override {
        const bool known = riid == IID_IUnknown || riid == IID_IClassFactory;
        *ppvObject = known ? this : nullptr;
        return known ? S_OK : E_NOINTERFACE;
    }
    ULONG AddRef() override { return 2; }
    ULONG Release() override { return 1; }
    HRESULT CreateInstance(IUnknown* pUnkOuter, REFIID riid, VOID** ppvObject) override {
        *ppvObject = nullptr;
        return pUnkOuter == nullptr ? host().provider(riid, ppvObject) : CLASS_E_NOAGGREGATION;
    }
    HRESULT LockServer(BOOL) override { return S_OK; }
};
constinit Factory factory;

struct Export {
    std::string_view name;
    void* function;
};

// The address of an export, null if there is none of that name.
void* export_of(std::string_view name) {
    const std::array exports{Export{"DllGetClassObject", reinterpret_cast<void*>(&DllGetClassObject)},
                             Export{"DllCanUnloadNow", reinterpret_cast<void*>(&DllCanUnloadNow)},
                             Export{"WSPStartupEx", reinterpret_cast<void*>(&WSPStartupEx)}};
    const auto found = std::ranges::find(exports, name, &Export::name);
    return found == exports.end() ? nullptr : found->function;
}

std::wstring expanded(std::wstring_view source) {
    std::wstring out;
    while (!source.empty()) {
        const std::size_t end = source.starts_with(L'%') ? source.find(L'%', 1) : std::wstring_view::npos;
        const std::string name = end == std::wstring_view::npos ? "" : ndsim::to_utf8(source.substr(1, end - 1));
        const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
        if (value != nullptr) {
            out += ndsim::to_wide(value);
            source.remove_prefix(end + 1);
        } else {
            out += source.front();
            source.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace

HRESULT DllGetClassObject(REFCLSID, REFIID iid, LPVOID* object) {
    return SUCCEEDED(factory.QueryInterface(iid, object)) ? S_OK : host().provider(iid, object);
}

HRESULT DllCanUnloadNow() {
    return host().has_open_objects() ? S_FALSE : S_OK;
}

HMODULE LoadLibraryExW(LPCWSTR, HANDLE, DWORD) {
    return &factory;
}
HMODULE LoadLibraryW(LPCWSTR path) {
    return LoadLibraryExW(path, nullptr, 0);
}

FARPROC GetProcAddress(HMODULE, LPCSTR name) {
    void* const function = export_of(name);
    if (function == nullptr) {
        host().set_last_error(ERROR_PROC_NOT_FOUND);
    }
    return reinterpret_cast<FARPROC>(function);
}

BOOL FreeLibrary(HMODULE) {
    return TRUE;
}

DWORD ExpandEnvironmentStringsW(LPCWSTR source, LPWSTR destination, DWORD size) {
    const std::wstring text = expanded(source);
    if (text.size() < size) {
        *std::copy(text.begin(), text.end(), destination) = L'\0';
    }
    return static_cast<DWORD>(text.size() + 1);
}
