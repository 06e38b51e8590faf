// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/provider.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

template <class Interface>
Held<Interface> provider(REFIID iid) {
    void* object = nullptr;
    return Held<Interface>(SUCCEEDED(host().provider(iid, &object)) ? static_cast<Interface*>(object) : nullptr);
}

// The list with what it points at, in words, so that it is aligned. Empty if the provider fails.
std::vector<std::uint64_t> addresses_of(IND2Provider& provider) {
    std::vector<std::uint64_t> words;
    HRESULT result = ND_BUFFER_OVERFLOW;
    while (result == ND_BUFFER_OVERFLOW) {
        auto bytes = static_cast<ULONG>(words.size() * sizeof(std::uint64_t));
        auto* list = words.empty() ? nullptr : reinterpret_cast<SOCKET_ADDRESS_LIST*>(words.data());
        result = provider.QueryAddressList(list, &bytes);
        words.resize(std::max(words.size(), bytes / sizeof(std::uint64_t) + 1));
        if (list == nullptr && SUCCEEDED(result)) {
            result = ND_BUFFER_OVERFLOW;  // only the size was asked for
        }
    }
    if (FAILED(result)) {
        words.clear();
    }
    return words;  // never a copy: the list points into itself
}

}  // namespace

Held<IND2Provider> provider_of_version_2() {
    return provider<IND2Provider>(IID_IND2Provider);
}
Held<INDProvider> provider_of_version_1() {
    return provider<INDProvider>(IID_INDProvider);
}

HRESULT local_address(ADDRESS_FAMILY family, sockaddr* address, SIZE_T& size) {
    const Held<IND2Provider> provider = provider_of_version_2();
    const std::vector<std::uint64_t> words = provider ? addresses_of(*provider) : std::vector<std::uint64_t>{};
    if (words.empty()) {
        return ND_DEVICE_NOT_READY;
    }
    const auto* list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(words.data());
    const SOCKET_ADDRESS* end = list->Address + list->iAddressCount;
    const SOCKET_ADDRESS* found = std::find_if(
        list->Address, end, [=](const SOCKET_ADDRESS& entry) { return entry.lpSockaddr->sa_family == family; });
    if (found == end) {
        return ND_NETWORK_UNREACHABLE;
    }
    const auto needed = static_cast<SIZE_T>(found->iSockaddrLength);
    const bool fits = address != nullptr && size >= needed;
    size = needed;
    if (!fits) {
        return ND_BUFFER_OVERFLOW;
    }
    std::memcpy(address, found->lpSockaddr, needed);
    return ND_SUCCESS;
}

}  // namespace ndsim
