// SPDX-License-Identifier: Apache-2.0
// A program that uses names which sources of the field have, and returns the line of the first one that does not do
// what Windows' does; 0 if all do.
#include <BaseTsd.h>
#include <SDKDDKVer.h>
#include <winsock2.h>
#include <ws2spi.h>
#include <ws2tcpip.h>

#include <cstring>
#include <cwchar>

#include "tests/ndapi/windows/program/clients/expect.hpp"

DECLARE_HANDLE(HQUEUE);
DECLARE_HANDLE(HREGION);

namespace {

constexpr int kFine = 0;

HRESULT number_of(HQUEUE, int number) {
    return number;
}
HRESULT number_of(HREGION, int) {
    return E_INVALIDARG;
}

int texts() {
    wchar_t wide[1025];
    char narrow[1025];
    EXPECT(wsprintfW(wide, L"%s %u", L"queue", 7U) == 7 && std::wcscmp(wide, L"queue 7") == 0);
    EXPECT(wsprintf(wide, L"%I64d", -5LL) == 2 && wsprintfA(narrow, "%08X", 0xBEEF) == 8);
    EXPECT(std::strcmp(narrow, "0000BEEF") == 0);
    wide[1024] = L'!';
    EXPECT(wsprintfW(wide, L"%2000d", 1) == 1023 && wide[1023] == L'\0' && wide[1024] == L'!');  // what a buffer has
    return kFine;
}

int results() {
    // Types of their own, so these are two functions.
    HRESULT result = number_of(HQUEUE{}, 1);
    if FAILED (result) return __LINE__;
    result = number_of(HREGION{}, 1);
    if SUCCEEDED (result) return __LINE__;
    EXPECT(SUCCEEDED(CoInitialize(nullptr)) && SUCCEEDED(CoInitializeEx(nullptr, COINIT_MULTITHREADED)));
    CoUninitialize();
    CoUninitialize();
    return kFine;
}

DWORD CALLBACK allocate(LPVOID heap) {
    return HeapAlloc(heap, 0, 40) == nullptr ? 1 : 0;
}

int heaps() {
    HANDLE heap = HeapCreate(0, 0, 0);
    PVOID first = HeapAlloc(heap, 0, 10);
    PVOID second = HeapAlloc(heap, 0, 20);
    PVOID third = HeapAlloc(heap, 0, 30);
    EXPECT(HeapFree(heap, 0, second) && HeapLock(heap) && HeapLock(heap));
    PROCESS_HEAP_ENTRY entry{};
    EXPECT(HeapWalk(heap, &entry) && entry.lpData == first && entry.cbData == 10);
    EXPECT(HeapWalk(heap, &entry) && entry.lpData == third && entry.cbData == 30);
    EXPECT((entry.wFlags & PROCESS_HEAP_ENTRY_BUSY) != 0);
    EXPECT(!HeapWalk(heap, &entry) && GetLastError() == ERROR_NO_MORE_ITEMS);
    EXPECT(HeapUnlock(heap) && HeapUnlock(heap));

    // The process's own has what others have allocated there, too.
    PVOID mine = HeapAlloc(GetProcessHeap(), 0, 12345);
    DWORD bytes = 0;
    for (entry.lpData = nullptr; bytes == 0 && HeapWalk(GetProcessHeap(), &entry);) {
        bytes = entry.lpData == mine ? entry.cbData : 0;
    }
    EXPECT(bytes == 12345 && HeapFree(GetProcessHeap(), 0, mine));

    HANDLE thread = CreateThread(nullptr, 0, allocate, heap, 0, nullptr);
    DWORD code = 9;
    EXPECT(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0 && GetExitCodeThread(thread, &code) && code == 0);
    EXPECT(CloseHandle(thread) && HeapDestroy(heap));
    return kFine;
}

// With threads that run side by side.
int locked_heap() {
    HANDLE heap = HeapCreate(0, 0, 0);
    DWORD code = 0;
    EXPECT(HeapLock(heap));
    HANDLE thread = CreateThread(nullptr, 0, allocate, heap, 0, nullptr);
    EXPECT(HeapAlloc(heap, 0, 1) != nullptr);  // who has locked it may
    EXPECT(WaitForSingleObject(thread, 5) == WAIT_TIMEOUT && HeapUnlock(heap));
    EXPECT(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0 && GetExitCodeThread(thread, &code) && code == 0);
    return kFine;
}

int sockets() {
    SOCKET socket = WSASocketA(AF_INET, SOCK_STREAM, IPPROTO_TCP, LPWSAPROTOCOL_INFOA{}, 0, WSA_FLAG_OVERLAPPED);
    EXPECT(socket != INVALID_SOCKET);
    u_long nonblocking = 1;
    EXPECT(ioctlsocket(socket, FIONBIO, &nonblocking) == 0 && ioctlsocket(socket, FIONREAD, &nonblocking) == 0);
    EXPECT(nonblocking == 0 && ioctlsocket(socket, 1, &nonblocking) == SOCKET_ERROR);
    EXPECT(WSAGetLastError() == WSAEOPNOTSUPP && closesocket(socket) == 0);

    HANDLE change = nullptr;
    OVERLAPPED overlapped{};
    EXPECT(WSAProviderConfigChange(&change, nullptr, nullptr) == 0 && change != nullptr);
    EXPECT(WSAProviderConfigChange(&change, &overlapped, nullptr) == SOCKET_ERROR);
    EXPECT(WSAGetLastError() == WSA_IO_PENDING && !HasOverlappedIoCompleted(&overlapped) && CloseHandle(change));

    // Values of winsock2.h and winerror.h.
    EXPECT(WSAEWOULDBLOCK == 10035 && WSAENETDOWN == 10050 && FIONBIO == static_cast<LONG>(0x8004667E));
    EXPECT(MSG_PEEK == 2 && MSG_WAITALL == 8 && _MAX_PATH == 260 && _MAX_PATH == MAX_PATH);
    IN6_ADDR any = IN6ADDR_ANY_INIT;
    IN6_ADDR loopback = IN6ADDR_LOOPBACK_INIT;
    socklen_t length = sizeof(any);
    INT* size = &length;  // signed
    EXPECT(*size == 16 && any.u.Byte[15] == 0 && loopback.u.Byte[15] == 1 && loopback.u.Byte[0] == 0);
    GUID guid{};
    LPGUID pointer = &guid;
    EXPECT(IsEqualGUID(*pointer, GUID_NULL) && sizeof(WSAPROTOCOL_INFOW) - sizeof(WSAPROTOCOL_INFOA) == 3 * 256);
    return kFine;
}

}  // namespace

int main(int argc, char**) {
    if (argc > 1) {
        return locked_heap();
    }
    for (const auto test : {texts, results, heaps, sockets}) {
        const int line = test();
        if (line != 0) {
            return line;
        }
    }
    return 0;
}
