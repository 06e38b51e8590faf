// SPDX-License-Identifier: Apache-2.0
// The macros with which Windows sources declare interfaces and name them, in C++ and in C.
#pragma once

#define STDMETHODCALLTYPE
#define STDMETHODVCALLTYPE
#define STDAPICALLTYPE
#define STDMETHODIMP HRESULT
#define STDMETHODIMP_(type) type
#define IFACEMETHODIMP STDMETHODIMP
#define IFACEMETHODIMP_(type) STDMETHODIMP_(type)
#define STDAPI EXTERN_C HRESULT
#define STDAPI_(type) EXTERN_C type
#define MIDL_INTERFACE(id) struct
#define DECLSPEC_UUID(id)
#define DECLSPEC_NOVTABLE
#define BEGIN_INTERFACE
#define END_INTERFACE
#define interface struct

#ifdef __cplusplus

#define EXTERN_C extern "C"
#define EXTERN_C_START extern "C" {
#define EXTERN_C_END }
#define PURE = 0
#define THIS_
#define THIS void
#define STDMETHOD(method) virtual HRESULT method
#define STDMETHOD_(type, method) virtual type method
#define IFACEMETHOD(method) STDMETHOD(method)
#define IFACEMETHOD_(type, method) STDMETHOD_(type, method)
#define DECLARE_INTERFACE(name) struct name
#define DECLARE_INTERFACE_(name, base) struct name : public base
#define DEFINE_GUID(name, data1, data2, data3, b0, b1, b2, b3, b4, b5, b6, b7) \
    constexpr GUID name {                                                      \
        data1, data2, data3, {                                                 \
            b0, b1, b2, b3, b4, b5, b6, b7                                     \
        }                                                                      \
    }

#else

// An interface is a table of functions that take it as their first parameter. INTERFACE is its name meanwhile.
#define EXTERN_C extern
#define EXTERN_C_START
#define EXTERN_C_END
#define PURE
#define THIS_ INTERFACE *This,
#define THIS INTERFACE* This
#define STDMETHOD(method) HRESULT(*method)
#define STDMETHOD_(type, method) type(*method)
#define IFACEMETHOD(method) STDMETHOD(method)
#define IFACEMETHOD_(type, method) STDMETHOD_(type, method)
#define DECLARE_INTERFACE(name)           \
    typedef struct name {                 \
        const struct name##Vtbl* lpVtbl;  \
    } name;                               \
    typedef struct name##Vtbl name##Vtbl; \
    struct name##Vtbl
#define DECLARE_INTERFACE_(name, base) DECLARE_INTERFACE(name)
#define DEFINE_GUID(name, data1, data2, data3, b0, b1, b2, b3, b4, b5, b6, b7) \
    static const GUID name __attribute__((unused)) = {data1, data2, data3, {b0, b1, b2, b3, b4, b5, b6, b7}}

#endif
