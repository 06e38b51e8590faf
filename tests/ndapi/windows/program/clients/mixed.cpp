// SPDX-License-Identifier: Apache-2.0
// A program that uses the headers in the ways that Windows sources do, and says what came of it.
#include <stdio.h>
#include <string.h>

#define WIN32_NO_STATUS
#include <windows.h>
#undef WIN32_NO_STATUS
#include <Mswsock.h>
#include <WS2spi.h>
#include <WinSock2.h>
#include <coguid.h>
#include <initguid.h>
#include <mswsock.h>
#include <ndstatus.h>
#include <ntstatus.h>
#include <process.h>
#include <sal.h>
#include <tchar.h>
#include <unknwn.h>
#include <winsock2.h>
#include <ws2san.h>
#include <ws2spi.h>
#include <ws2tcpip.h>

#include <nddef.h>
#include <ndspi.h>
#include <ndsupport.h>
#include <stddef.h>
#include <stdlib.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <vector>

DEFINE_GUID(IID_IStock, 0x12345678, 0x9ABC, 0xDEF0, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF);

#undef INTERFACE
#define INTERFACE IStock
DECLARE_INTERFACE_(IStock, IUnknown) {
    // IUnknown
    IFACEMETHOD(QueryInterface)(THIS_ REFIID riid, __out LPVOID * object) PURE;
    IFACEMETHOD_(ULONG, AddRef)(THIS) PURE;
    IFACEMETHOD_(ULONG, Release)(THIS) PURE;
    // IStock
    STDMETHOD(Add)(THIS_ __in DWORD amount, __in_ecount_opt(count) const DWORD* extra, __in SIZE_T count) PURE;
    STDMETHOD_(LONG, Level)(THIS) PURE;
};

class __declspec(novtable) Stock final : public IStock {
public:
    STDMETHODIMP QueryInterface(REFIID riid, LPVOID* object) {
        if (!IsEqualIID(riid, IID_IStock) && riid != IID_IUnknown) {
            *object = NULL;
            return E_NOINTERFACE;
        }
        AddRef();
        *object = this;
        return S_OK;
    }
    STDMETHODIMP_(ULONG) AddRef() { return InterlockedIncrement(&references_); }
    STDMETHODIMP_(ULONG) Release() {
        const LONG left = InterlockedDecrement(&references_);
        if (left == 0) {
            printf("gone\n");
        }
        return left;
    }
    STDMETHODIMP Add(_In_ DWORD amount, _In_reads_opt_(count) const DWORD* extra, _In_ SIZE_T count) {
        for (SIZE_T i = 0; i < count; ++i) {
            amount += extra[i];
        }
        InterlockedExchangeAdd64(&level_, amount);
        return S_OK;
    }
    STDMETHODIMP_(LONG) Level() { return (LONG)InterlockedCompareExchange64(&level_, 0, 0); }

private:
    volatile LONG references_ = 1;
    volatile LONGLONG level_ = 0;
};

// Two ways to get from the request that a port returns to what belongs to it.
struct Derived : public OVERLAPPED {
    int number;
};
struct Containing {
    int number;
    OVERLAPPED overlapped;
    LIST_ENTRY link;
};

static int number_of_base(OVERLAPPED* overlapped) {
    return static_cast<Derived*>(overlapped)->number;
}
static int number_around(OVERLAPPED* overlapped) {
    return CONTAINING_RECORD(overlapped, Containing, overlapped)->number;
}

// Overloads that fall together where types have the wrong width.
static const TCHAR* kind(DWORD) {
    return _T("DWORD");
}
static const TCHAR* kind(HRESULT) {
    return _T("HRESULT");
}
static const TCHAR* kind(UINT64) {
    return _T("UINT64");
}

DWORD WINAPI Work(__in LPVOID argument) {
    *static_cast<volatile LONG*>(argument) = 42;
    return 7;
}

VOID CALLBACK Nothing(VOID) {
    UNREFERENCED_PARAMETER(Work);
}

int __cdecl _tmain(int argc, _In_reads_(argc) TCHAR* argv[]) {
    Nothing();
    WSADATA data;
    if (::WSAStartup(MAKEWORD(2, 2), &data) != 0 || LOBYTE(data.wVersion) != 2) {
        wprintf(L"no Winsock\n");
        exit(__LINE__);
    }
    for (int i = 1; i < argc; ++i) {
        if (_tcsicmp(argv[i], _T("-Q")) == 0 || wcscmp(argv[i], L"-n") == 0) {
            wprintf(L"%s %d\n", argv[i], _ttol(argv[i + 1]));
            ++i;
        }
    }

    Derived derived = {};
    derived.number = 3;
    Containing containing = {};
    containing.number = 4;
    printf("records %d %d\n", number_of_base(&derived), number_around(&containing.overlapped));

    const ULONG few = 3;
    const SIZE_T many = 5;
    volatile LONG worked = 0;
    wprintf(L"min %Iu max %Iu %d\n", min(few, many), max(few, many), (std::min)(1, 2));
    wprintf(TEXT("kinds %s %s %s %s\n"), kind(DWORD(0)), kind(ND_PENDING), kind(GetLastError()), kind(sizeof(few)));

    HANDLE thread = CreateThread(NULL, 0, Work, (LPVOID)&worked, 0, NULL);
    const DWORD waited = WaitForSingleObject(thread, INFINITE);
    DWORD code = 0;
    GetExitCodeThread(thread, &code);
    CloseHandle(thread);
    printf("thread %u %d %lu\n", waited == WAIT_OBJECT_0, worked, code);

    Stock stock;
    const DWORD extra[] = {10, 20};
    IStock* interface_of_stock = NULL;
    if (FAILED(stock.QueryInterface(IID_IStock, reinterpret_cast<void**>(&interface_of_stock)))) {
        exit(__LINE__);
    }
    interface_of_stock->Add(5, extra, _countof(extra));
    printf("stock %ld %S\n", interface_of_stock->Level(), L"wide");
    interface_of_stock->Release();
    stock.Release();

    struct sockaddr_in server = {0};
    int length = sizeof(server);
    if (WSAStringToAddress(argv[argc - 1], AF_INET, NULL, reinterpret_cast<struct sockaddr*>(&server), &length) != 0) {
        fwprintf(stderr, L"error %d\n", WSAGetLastError());
        exit(2);
    }
    if (server.sin_port == 0) {
        server.sin_port = htons(54326);
    }
    printf("address %08x port %hu\n", ntohl(server.sin_addr.S_un.S_addr), ntohs(server.sin_port));
    WSACleanup();
    return 0;
}
