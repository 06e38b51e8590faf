// SPDX-License-Identifier: Apache-2.0
// Names of interfaces and classes; in C++ they compare with ==. For C++ and C.
#pragma once

#include "ndapi/windows/abi/types.h"

typedef struct _GUID {
    ULONG Data1;
    USHORT Data2;
    USHORT Data3;
    UCHAR Data4[8];
} GUID;
typedef GUID IID;
typedef GUID CLSID;

static const GUID GUID_NULL = {0, 0, 0, {0}};
static const IID IID_IUnknown = {0x00000000, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const IID IID_IClassFactory = {0x00000001, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};

#ifdef __cplusplus

typedef const GUID& REFGUID;
typedef const IID& REFIID;
typedef const CLSID& REFCLSID;

[[nodiscard]] constexpr bool operator==(REFGUID one, REFGUID other) {
    for (int i = 0; i < 8; ++i) {
        if (one.Data4[i] != other.Data4[i]) {
            return false;
        }
    }
    return one.Data1 == other.Data1 && one.Data2 == other.Data2 && one.Data3 == other.Data3;
}
[[nodiscard]] constexpr bool operator!=(REFGUID one, REFGUID other) {
    return !(one == other);
}

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

#else

typedef const GUID* REFGUID;
typedef const IID* REFIID;
typedef const CLSID* REFCLSID;

#endif
