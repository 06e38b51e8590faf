// SPDX-License-Identifier: Apache-2.0
// IUnknown and IClassFactory for programs in C: each is an object that points at its table of functions.
#pragma once

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
