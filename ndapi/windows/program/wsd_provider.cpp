// SPDX-License-Identifier: Apache-2.0
// Winsock Direct's provider as Windows' switch loads it: WSPStartupEx gives a table of function pointers, WSPIoctl the
// pointers of the functions beyond the table. Each calls the host's provider; what it is called with goes on untouched,
// so that upcalls come straight to the program's own functions.
#include <algorithm>
#include <array>
#include <cstring>

#include "ndapi/windows/program/instance.hpp"
#include "ndapi/wsd/wsp.h"

using ndsim::host;
using ndsim::instance;
using ndsim::wsd::Wsp;

namespace {

// A plain function for a method of the provider, with its parameters.
template <auto Method>
struct Forward;
template <class Result, class... Parameters, Result (Wsp::*Method)(Parameters...)>
struct Forward<Method> {
    static Result call(Parameters... parameters) { return (instance().sockets->*Method)(parameters...); }
};
template <auto Method>
constexpr auto forward = &Forward<Method>::call;

struct Extension {
    GUID id;
    void* function;
};

// As the pointer type that the extension has.
template <class Pointer>
void* address(Pointer function) {
    return reinterpret_cast<void*>(function);
}

void* extension(const GUID& id) {
    const std::array extensions{
        Extension{WSAID_REGISTERMEMORY, address<LPFN_WSPREGISTERMEMORY>(forward<&Wsp::WSPRegisterMemory>)},
        Extension{WSAID_DEREGISTERMEMORY, address<LPFN_WSPDEREGISTERMEMORY>(forward<&Wsp::WSPDeregisterMemory>)},
        Extension{WSAID_REGISTERRDMAMEMORY, address<LPFN_WSPREGISTERRDMAMEMORY>(forward<&Wsp::WSPRegisterRdmaMemory>)},
        Extension{WSAID_DEREGISTERRDMAMEMORY,
                  address<LPFN_WSPDEREGISTERRDMAMEMORY>(forward<&Wsp::WSPDeregisterRdmaMemory>)},
        Extension{WSAID_RDMAWRITE, address<LPFN_WSPRDMAWRITE>(forward<&Wsp::WSPRdmaWrite>)},
        Extension{WSAID_RDMAREAD, address<LPFN_WSPRDMAREAD>(forward<&Wsp::WSPRdmaRead>)},
        Extension{WSAID_MEMORYREGISTRATIONCACHECALLBACK,
                  address<LPFN_WSPMEMORYREGISTRATIONCACHECALLBACK>(forward<&Wsp::WSPMemoryRegistrationCacheCallback>)}};
    const auto found = std::ranges::find(extensions, id, &Extension::id);
    return found == extensions.end() ? nullptr : found->function;
}

// The provider knows which extensions there are and looks at the buffers; the pointer is made here.
int ioctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer, DWORD cbOutBuffer,
          LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
          LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId, LPINT lpErrno) {
    const int result =
        instance().sockets->WSPIoctl(s, dwIoControlCode, lpvInBuffer, cbInBuffer, lpvOutBuffer, cbOutBuffer,
                                     lpcbBytesReturned, lpOverlapped, lpCompletionRoutine, lpThreadId, lpErrno);
    if (result == 0 && dwIoControlCode == SIO_GET_EXTENSION_FUNCTION_POINTER) {
        GUID id;
        std::memcpy(&id, lpvInBuffer, sizeof(id));
        void* const function = extension(id);
        std::memcpy(lpvOutBuffer, &function, sizeof(function));
    }
    return result;
}

// Null where no provider of Winsock Direct is ever called (W102).
WSPPROC_TABLE functions() {
    WSPPROC_TABLE table{};
    table.lpWSPAccept = forward<&Wsp::WSPAccept>;
    table.lpWSPBind = forward<&Wsp::WSPBind>;
    table.lpWSPCleanup = forward<&Wsp::WSPCleanup>;
    table.lpWSPCloseSocket = forward<&Wsp::WSPCloseSocket>;
    table.lpWSPConnect = forward<&Wsp::WSPConnect>;
    table.lpWSPDuplicateSocket = forward<&Wsp::WSPDuplicateSocket>;
    table.lpWSPEnumNetworkEvents = forward<&Wsp::WSPEnumNetworkEvents>;
    table.lpWSPEventSelect = forward<&Wsp::WSPEventSelect>;
    table.lpWSPGetOverlappedResult = forward<&Wsp::WSPGetOverlappedResult>;
    table.lpWSPGetSockOpt = forward<&Wsp::WSPGetSockOpt>;
    table.lpWSPIoctl = ioctl;
    table.lpWSPListen = forward<&Wsp::WSPListen>;
    table.lpWSPRecv = forward<&Wsp::WSPRecv>;
    table.lpWSPSend = forward<&Wsp::WSPSend>;
    table.lpWSPSetSockOpt = forward<&Wsp::WSPSetSockOpt>;
    table.lpWSPSocket = forward<&Wsp::WSPSocket>;
    return table;
}

}  // namespace

int WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                 LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable) {
    void* provider = nullptr;
    if (FAILED(host().provider(ndsim::wsd::kProviderId, &provider))) {
        return WSASYSNOTREADY;
    }
    if (lpProcTable == nullptr) {
        return WSAEFAULT;
    }
    instance().sockets = static_cast<Wsp*>(provider);
    const int code =
        instance().sockets->WSPStartupEx(wVersionRequested, lpWSPData, lpProtocolInfo, UpcallTable, lpProcTable);
    if (code == 0) {
        *lpProcTable = functions();
    }
    return code;
}
