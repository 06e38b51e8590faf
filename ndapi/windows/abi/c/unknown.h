// SPDX-License-Identifier: Apache-2.0
// IUnknown and IClassFactory for programs in C: each is an object that points at its table of functions.
#pragma once

static const IID IID_IUnknown = {0x00000000, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const IID IID_IClassFactory = {0x00000001, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
static const GUID GUID_NULL = {0, 0, 0, {0}};

typedef struct IUnknown {
    const struct IUnknownVtbl* lpVtbl;
} IUnknown;
typedef struct IClassFactory {
    const struct IClassFactoryVtbl* lpVtbl;
} IClassFactory;

struct IUnknownVtbl {
    HRESULT (*QueryInterface)(IUnknown*, const IID*, VOID**);
    ULONG (*AddRef)(IUnknown*);
    ULONG (*Release)(IUnknown*);
};

struct IClassFactoryVtbl {
    HRESULT (*QueryInterface)(IClassFactory*, const IID*, VOID**);
    ULONG (*AddRef)(IClassFactory*);
    ULONG (*Release)(IClassFactory*);
    HRESULT (*CreateInstance)(IClassFactory*, IUnknown*, const IID*, VOID**);
    HRESULT (*LockServer)(IClassFactory*, BOOL);
};
