// SPDX-License-Identifier: Apache-2.0
// A program in C: it gets the provider as one that loads it by itself does, and calls it through its table.
#include <winsock2.h>
#include <ws2spi.h>
#include <ndspi.h>
#include <ndsupport.h>
#include <ntstatus.h>
#include <process.h>
#include <stdio.h>
#include <tchar.h>

// The sizes of C++, which has its own declarations of these.
_Static_assert(sizeof(LONG) == 4 && sizeof(DWORD) == 4 && sizeof(SIZE_T) == 8 && sizeof(WCHAR) == 4, "numbers");
_Static_assert(sizeof(LARGE_INTEGER) == 8 && sizeof(GUID) == 16 && sizeof(SOCKET_ADDRESS_LIST) == 24, "structures");
_Static_assert(sizeof(OVERLAPPED) == 32 && offsetof(OVERLAPPED, hEvent) == 24, "requests");
_Static_assert(sizeof(SOCKADDR) == 16 && sizeof(SOCKADDR_IN) == 16 && offsetof(SOCKADDR_IN, sin_addr) == 4, "IPv4");
_Static_assert(sizeof(SOCKADDR_IN6) == 28 && sizeof(SOCKADDR_STORAGE) == 128, "IPv6");

// Constants have the sign and the width of their types.
_Static_assert(E_NOTIMPL < 0 && ND_CANCELED == (HRESULT)0xC0000120 && STATUS_CANCELLED == (HRESULT)ND_CANCELED, "statuses");
_Static_assert(INFINITE == 0xFFFFFFFFU && GENERIC_READ == 0x80000000U && INVALID_SOCKET == UINTPTR_MAX, "unsigned");
_Static_assert(SOCKET_ERROR == -1 && STD_INPUT_HANDLE == (DWORD)-10 && NDIS_STATUS_BAD_VERSION < 0, "others");

typedef struct REQUEST {
    LIST_ENTRY link;
    OVERLAPPED overlapped;
    int number;
} REQUEST;

#undef INTERFACE
#define INTERFACE ICounter
DECLARE_INTERFACE_(ICounter, IUnknown) {
    STDMETHOD(QueryInterface)(THIS_ REFIID riid, LPVOID * object) PURE;
    STDMETHOD_(ULONG, AddRef)(THIS) PURE;
    STDMETHOD_(ULONG, Release)(THIS) PURE;
    STDMETHOD_(LONG, Next)(THIS_ LONG step) PURE;
};

static volatile LONG count = 40;

static LONG WINAPI next(ICounter* counter, LONG step) {
    UNREFERENCED_PARAMETER(counter);
    return InterlockedExchangeAdd(&count, step) + step;
}

static int find_provider(GUID* id) {
    WSAPROTOCOL_INFOW entries[4];
    DWORD size = sizeof(entries);
    int error = 0;
    const int entries_found = WSCEnumProtocols(NULL, entries, &size, &error);
    for (int i = 0; i < entries_found; ++i) {
        if ((entries[i].dwProviderFlags & PFL_NETWORKDIRECT_PROVIDER) != 0 && entries[i].iVersion == ND_VERSION_2) {
            *id = entries[i].ProviderId;
            return TRUE;
        }
    }
    return FALSE;
}

typedef HRESULT(WINAPI* GET_CLASS_OBJECT)(REFCLSID, REFIID, LPVOID*);

static IND2Provider* load_provider(void) {
    GUID id = GUID_NULL;
    WCHAR path[MAX_PATH];
    INT length = _countof(path);
    INT error = 0;
    if (!find_provider(&id) || WSCGetProviderPath(&id, path, &length, &error) != 0) {
        return NULL;
    }
    HMODULE module = LoadLibraryExW(path, NULL, 0);
    GET_CLASS_OBJECT get = (GET_CLASS_OBJECT)GetProcAddress(module, "DllGetClassObject");
    IClassFactory* factory = NULL;
    IND2Provider* provider = NULL;
    if (get == NULL || FAILED(get(&id, &IID_IClassFactory, (void**)&factory))) {
        return NULL;
    }
    factory->lpVtbl->CreateInstance(factory, NULL, &IID_IND2Provider, (void**)&provider);
    factory->lpVtbl->Release(factory);
    return provider;
}

int main(int argc, char* argv[]) {
    REQUEST request = {0};
    OVERLAPPED* overlapped = &request.overlapped;
    request.number = argc;
    printf("request %d of %s\n", CONTAINING_RECORD(overlapped, REQUEST, overlapped)->number, argv[argc - 1]);

    ICounterVtbl table = {NULL, NULL, NULL, next};
    ICounter counter = {&table};
    printf("counter %ld of %d\n", counter.lpVtbl->Next(&counter, 2), (int)min(5, 7));

    SOCKET socket = WSASocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED);
    HANDLE port = CreateIoCompletionPort((HANDLE)socket, NULL, 1, 0);
    if (port == NULL) {
        fprintf(stderr, "no port for a socket\n");
        return 2;
    }

    IND2Provider* provider = load_provider();
    if (provider == NULL) {
        fprintf(stderr, "no provider\n");
        return 1;
    }
    ULONG size = 0;
    const HRESULT result = provider->lpVtbl->QueryAddressList(provider, NULL, &size);
    printf("addresses %08lx %lu %d\n", result, size, result == ND_BUFFER_OVERFLOW && result == STATUS_BUFFER_OVERFLOW);
    provider->lpVtbl->Release(provider);
    _exit(INVALID_HANDLE_VALUE == NULL);
}
