// SPDX-License-Identifier: Apache-2.0
// Names of interfaces and classes. GUID itself, which also compares with ==, is in types.h.
#pragma once

#include "ndapi/windows/abi/types.h"

using IID = GUID;
using CLSID = GUID;
using REFGUID = const GUID&;
using REFIID = const IID&;
using REFCLSID = const CLSID&;

constexpr GUID GUID_NULL{};

[[nodiscard]] constexpr bool IsEqualGUID(REFGUID one, REFGUID other) {
    return one == other;
}
[[nodiscard]] constexpr bool InlineIsEqualGUID(REFGUID one, REFGUID other) {
    return one == other;
}
[[nodiscard]] constexpr bool IsEqualIID(REFIID one, REFIID other) {
    return one == other;
}
[[nodiscard]] constexpr bool IsEqualCLSID(REFCLSID one, REFCLSID other) {
    return one == other;
}
