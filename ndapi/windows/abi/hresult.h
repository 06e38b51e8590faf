// SPDX-License-Identifier: Apache-2.0
// Results of COM calls. The top bit says failure, whatever the rest: NetworkDirect keeps NTSTATUS values in an HRESULT
// (ndspi.md 2.2), so warnings are failures here and a timeout is none.
#pragma once

#include "ndapi/windows/abi/types.h"

using HRESULT = LONG;

constexpr HRESULT S_OK = HRESULT(0x00000000);
constexpr HRESULT S_FALSE = HRESULT(0x00000001);

constexpr HRESULT E_PENDING = HRESULT(0x8000000A);
constexpr HRESULT E_NOTIMPL = HRESULT(0x80004001);
constexpr HRESULT E_NOINTERFACE = HRESULT(0x80004002);
constexpr HRESULT E_POINTER = HRESULT(0x80004003);
constexpr HRESULT E_ABORT = HRESULT(0x80004004);
constexpr HRESULT E_FAIL = HRESULT(0x80004005);
constexpr HRESULT E_UNEXPECTED = HRESULT(0x8000FFFF);
constexpr HRESULT CLASS_E_NOAGGREGATION = HRESULT(0x80040110);
constexpr HRESULT CLASS_E_CLASSNOTAVAILABLE = HRESULT(0x80040111);
constexpr HRESULT E_ACCESSDENIED = HRESULT(0x80070005);
constexpr HRESULT E_HANDLE = HRESULT(0x80070006);
constexpr HRESULT E_OUTOFMEMORY = HRESULT(0x8007000E);
constexpr HRESULT E_INVALIDARG = HRESULT(0x80070057);

[[nodiscard]] constexpr bool SUCCEEDED(HRESULT result) {
    return result >= 0;
}
[[nodiscard]] constexpr bool FAILED(HRESULT result) {
    return result < 0;
}

// A Win32 error code as a failure of facility 7, which is theirs. Success, and what is a failure already, stay.
[[nodiscard]] constexpr HRESULT HRESULT_FROM_WIN32(DWORD error) {
    const HRESULT result = static_cast<HRESULT>(error);
    return result <= 0 ? result : static_cast<HRESULT>(0x80070000U | (error & 0xFFFFU));
}
