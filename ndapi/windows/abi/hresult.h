// SPDX-License-Identifier: Apache-2.0
// Results of COM calls. The top bit says failure, whatever the rest: NetworkDirect keeps NTSTATUS values in an HRESULT
// (ndspi.md 2.2), so warnings are failures here and a timeout is none. For C++ and C.
#pragma once

#include "ndapi/windows/abi/types.h"

typedef LONG HRESULT;

NDSIM_CONSTANT(HRESULT, S_OK, 0x00000000);
NDSIM_CONSTANT(HRESULT, S_FALSE, 0x00000001);

NDSIM_CONSTANT(HRESULT, E_PENDING, 0x8000000A);
NDSIM_CONSTANT(HRESULT, E_NOTIMPL, 0x80004001);
NDSIM_CONSTANT(HRESULT, E_NOINTERFACE, 0x80004002);
NDSIM_CONSTANT(HRESULT, E_POINTER, 0x80004003);
NDSIM_CONSTANT(HRESULT, E_ABORT, 0x80004004);
NDSIM_CONSTANT(HRESULT, E_FAIL, 0x80004005);
NDSIM_CONSTANT(HRESULT, E_UNEXPECTED, 0x8000FFFF);
NDSIM_CONSTANT(HRESULT, CLASS_E_NOAGGREGATION, 0x80040110);
NDSIM_CONSTANT(HRESULT, CLASS_E_CLASSNOTAVAILABLE, 0x80040111);
NDSIM_CONSTANT(HRESULT, E_ACCESSDENIED, 0x80070005);
NDSIM_CONSTANT(HRESULT, E_HANDLE, 0x80070006);
NDSIM_CONSTANT(HRESULT, E_OUTOFMEMORY, 0x8007000E);
NDSIM_CONSTANT(HRESULT, E_INVALIDARG, 0x80070057);

#ifdef __cplusplus

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

#endif
