// SPDX-License-Identifier: Apache-2.0
// What test programs that drive a provider of Winsock Direct share: the provider's table, its extensions, the upcalls,
// and a socket. What is not as it should be ends the program with 1.
#pragma once

#include <winsock2.h>
#include <ws2spi.h>

#include <ws2san.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

inline void expect(bool good, const char* what) {
    if (!good) {
        printf("not so: %s\n", what);
        exit(1);
    }
}
inline void expect_code(int code, int wanted, const char* what) {
    if (code != wanted) {
        printf("%s: %d instead of %d\n", what, code, wanted);
        exit(1);
    }
}

// What the switch has seen. Its handles are its own numbers.
struct Upcalls {
    static constexpr SOCKET kFirstHandle = 0x5000;

    struct Completion {
        SOCKET handle;
        OVERLAPPED* overlapped;
        DWORD error;
        DWORD bytes;
        DWORD thread;
    };
    std::vector<DWORD_PTR> created;  // the provider's descriptors, by the handles
    std::vector<SOCKET> closed;
    std::vector<Completion> completed;
    CRITICAL_SECTION lock;
    HANDLE event = NULL;  // set by each
    int ends_with = 0;    // what a completion ends the program with
};
inline Upcalls upcalls;

inline SOCKET WSPAPI create_socket_handle(DWORD, DWORD_PTR context, LPINT) {
    upcalls.created.push_back(context);
    return Upcalls::kFirstHandle + upcalls.created.size() - 1;
}
inline int WSPAPI close_socket_handle(SOCKET handle, LPINT) {
    upcalls.closed.push_back(handle);
    SetEvent(upcalls.event);
    return 0;
}
inline int WSPAPI complete_overlapped_request(SOCKET handle, LPWSAOVERLAPPED overlapped, DWORD error, DWORD bytes,
                                              LPINT) {
    if (upcalls.ends_with != 0) {
        exit(upcalls.ends_with);
    }
    EnterCriticalSection(&upcalls.lock);
    upcalls.completed.push_back({handle, overlapped, error, bytes, GetCurrentThreadId()});
    LeaveCriticalSection(&upcalls.lock);
    overlapped->InternalHigh = bytes;
    overlapped->Internal = error;
    SetEvent(upcalls.event);
    return 0;
}

inline WSPUPCALLTABLEEX table_of_upcalls() {
    InitializeCriticalSection(&upcalls.lock);
    upcalls.event = CreateEvent(NULL, FALSE, FALSE, NULL);
    WSPUPCALLTABLEEX table = {};
    table.lpWPUCreateSocketHandle = create_socket_handle;
    table.lpWPUCloseSocketHandle = close_socket_handle;
    table.lpWPUCompleteOverlappedRequest = complete_overlapped_request;
    return table;
}

// The functions beyond the table.
struct Extensions {
    LPFN_WSPREGISTERMEMORY register_memory = NULL;
    LPFN_WSPDEREGISTERMEMORY deregister_memory = NULL;
    LPFN_WSPREGISTERRDMAMEMORY register_rdma_memory = NULL;
    LPFN_WSPDEREGISTERRDMAMEMORY deregister_rdma_memory = NULL;
    LPFN_WSPRDMAWRITE rdma_write = NULL;
    LPFN_WSPRDMAREAD rdma_read = NULL;
    LPFN_WSPMEMORYREGISTRATIONCACHECALLBACK cache_callback = NULL;
};

struct Side {
    static constexpr DWORD kUntouched = 0xABCD1234;

    WSPPROC_TABLE wsp = {};
    Extensions extensions;
    SOCKET s = INVALID_SOCKET;
    int error = 0;

    // Windows' switch knows the provider by its path alone.
    void start() {
        const HMODULE module = LoadLibrary(L"C:\\Windows\\System32\\san.dll");
        const auto start_up = reinterpret_cast<LPWSPSTARTUPEX>(GetProcAddress(module, "WSPStartupEx"));
        expect(start_up != NULL, "the module has WSPStartupEx");
        WSPUPCALLTABLEEX table = table_of_upcalls();
        WSPDATA data = {};
        expect_code(start_up(MAKEWORD(2, 2), &data, NULL, &table, &wsp), 0, "it starts");
        expect(data.wVersion == MAKEWORD(2, 2) && data.szDescription[0] != L'\0', "and says who it is");
        memset(&table, 0, sizeof(table));  // it was the caller's
    }

    // The code, 0 for success.
    template <class Function>
    int ask_for(const GUID& id, Function& function, DWORD room = sizeof(Function)) {
        GUID wanted = id;
        DWORD size = kUntouched;
        error = 0;
        const int result = wsp.lpWSPIoctl(s, SIO_GET_EXTENSION_FUNCTION_POINTER, &wanted, sizeof(wanted), &function,
                                          room, &size, NULL, NULL, NULL, &error);
        expect((result == 0) == (error == 0), "an answer is good or has a code");
        expect(size == (result == 0 ? sizeof(Function) : kUntouched), "and says how long it is if it is good");
        return error;
    }
    void ask_for_extensions() {
        expect_code(ask_for(WSAID_REGISTERMEMORY, extensions.register_memory), 0, "WSPRegisterMemory");
        expect_code(ask_for(WSAID_DEREGISTERMEMORY, extensions.deregister_memory), 0, "WSPDeregisterMemory");
        expect_code(ask_for(WSAID_REGISTERRDMAMEMORY, extensions.register_rdma_memory), 0, "WSPRegisterRdmaMemory");
        expect_code(ask_for(WSAID_DEREGISTERRDMAMEMORY, extensions.deregister_rdma_memory), 0,
                    "WSPDeregisterRdmaMemory");
        expect_code(ask_for(WSAID_RDMAWRITE, extensions.rdma_write), 0, "WSPRdmaWrite");
        expect_code(ask_for(WSAID_RDMAREAD, extensions.rdma_read), 0, "WSPRdmaRead");
        expect_code(ask_for(WSAID_MEMORYREGISTRATIONCACHECALLBACK, extensions.cache_callback), 0,
                    "WSPMemoryRegistrationCacheCallback");
    }

    SOCKET new_socket() {
        return wsp.lpWSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED, &error);
    }
    // Of host 1, 2 and so on, in the scenario's order.
    static sockaddr_in address(UINT32 host, USHORT port) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(0x0A000000 + host);
        address.sin_port = htons(port);
        return address;
    }
    void bind(UINT32 host, USHORT port = 0) {
        const sockaddr_in own = address(host, port);
        s = new_socket();
        expect(s != INVALID_SOCKET, "a socket");
        expect_code(wsp.lpWSPBind(s, reinterpret_cast<const sockaddr*>(&own), sizeof(own), &error), 0, "it is bound");
    }
    void close(SOCKET which) {
        const std::size_t before = upcalls.closed.size();
        expect_code(wsp.lpWSPCloseSocket(which, &error), 0, "it closes");
        while (upcalls.closed.size() == before) {
            WaitForSingleObject(upcalls.event, INFINITE);
        }
    }
};
