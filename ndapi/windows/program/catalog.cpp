// SPDX-License-Identifier: Apache-2.0
// The catalogue of protocols, as far as programs look for NetworkDirect in it.
#include <algorithm>
#include <array>
#include <string_view>

#include "ndapi/ndspi/nddef.h"
#include "ndapi/windows/abi/sockets.h"

namespace {

struct Entry {
    GUID provider;
    DWORD id;       // of the entry
    ULONG version;  // with which loaders look for it
    std::wstring_view name;
};
constexpr std::array kEntries{
    Entry{{0x9C1FE2D4, 0x3B57, 0x4E0A, {0x8F, 0x61, 0x2A, 0xD4, 0x70, 0x5B, 0x11, 0xC2}},
          1002,
          ND_VERSION_2,
          L"ndsim NetworkDirect 2"},
    Entry{{0x9C1FE2D4, 0x3B57, 0x4E0A, {0x8F, 0x61, 0x2A, 0xD4, 0x70, 0x5B, 0x11, 0xC1}},
          1001,
          ND_VERSION_1,
          L"ndsim NetworkDirect 1"},
};
constexpr std::wstring_view kPath = L"%SystemRoot%\\System32\\ndsim.dll";

// What marks an entry as NetworkDirect's (ndspi.md 1).
WSAPROTOCOL_INFOW info_of(const Entry& entry) {
    WSAPROTOCOL_INFOW info{};
    info.dwServiceFlags1 = XP1_GUARANTEED_DELIVERY | XP1_GUARANTEED_ORDER | XP1_MESSAGE_ORIENTED | XP1_CONNECT_DATA;
    info.dwProviderFlags = PFL_HIDDEN | PFL_NETWORKDIRECT_PROVIDER;
    info.ProviderId = entry.provider;
    info.dwCatalogEntryId = entry.id;
    info.ProtocolChain.ChainLen = 1;  // a base protocol
    info.iVersion = static_cast<int>(entry.version);
    info.iAddressFamily = AF_INET;
    info.iMaxSockAddr = sizeof(sockaddr_in);
    info.iMinSockAddr = sizeof(sockaddr_in);
    info.iSocketType = -1;
    info.iProtocol = 0;
    info.iProtocolMaxOffset = 0;
    std::copy(entry.name.begin(), entry.name.end(), info.szProtocol);
    return info;
}

int failed(int code, LPINT error) {
    *error = code;
    return SOCKET_ERROR;
}

}  // namespace

// A list of protocols to look for cannot have NetworkDirect's in it, whose number is 0: that ends the list.
int WSCEnumProtocols(LPINT protocols, LPWSAPROTOCOL_INFOW buffer, LPDWORD size, LPINT error) {
    if (protocols != nullptr) {
        return 0;
    }
    constexpr DWORD kNeeded = kEntries.size() * sizeof(WSAPROTOCOL_INFOW);
    const bool fits = buffer != nullptr && *size >= kNeeded;
    *size = kNeeded;
    if (!fits) {
        return failed(WSAENOBUFS, error);
    }
    std::transform(kEntries.begin(), kEntries.end(), buffer, info_of);
    return static_cast<int>(kEntries.size());
}

int WSCGetProviderPath(GUID* provider, WCHAR* path, LPINT length, LPINT error) {
    const auto* found =
        std::find_if(kEntries.begin(), kEntries.end(), [=](const Entry& entry) { return entry.provider == *provider; });
    if (found == kEntries.end()) {
        return failed(WSAEINVAL, error);
    }
    constexpr int kNeeded = static_cast<int>(kPath.size()) + 1;
    const bool fits = *length >= kNeeded;
    *length = kNeeded;
    if (!fits) {
        return failed(WSAEFAULT, error);
    }
    *std::copy(kPath.begin(), kPath.end(), path) = L'\0';
    return 0;
}
