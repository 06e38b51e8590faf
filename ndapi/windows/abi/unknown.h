// SPDX-License-Identifier: Apache-2.0
// What every COM interface begins with, and the factory that a provider's DllGetClassObject hands out (ndspi.md 1).
//
// An interface is a table of methods in the order of its declaration, those of its base first, and nothing else. A
// virtual destructor would be one more slot, so destructors are out of reach instead: Release ends an object.
#pragma once

#include "ndapi/windows/abi/guid.h"
#include "ndapi/windows/abi/hresult.h"

struct IUnknown {
    // Another interface of the object, with a reference of its own. E_NOINTERFACE if the object has none such.
    virtual HRESULT QueryInterface(REFIID riid, VOID** ppvObject) = 0;
    // Both return how many references there are then; the object ends with the last.
    virtual ULONG AddRef() = 0;
    virtual ULONG Release() = 0;

protected:
    ~IUnknown() = default;
};

struct IClassFactory : IUnknown {
    // CLASS_E_NOAGGREGATION unless pUnkOuter is null, E_NOINTERFACE.
    virtual HRESULT CreateInstance(IUnknown* pUnkOuter, REFIID riid, VOID** ppvObject) = 0;
    virtual HRESULT LockServer(BOOL fLock) = 0;

protected:
    ~IClassFactory() = default;
};
