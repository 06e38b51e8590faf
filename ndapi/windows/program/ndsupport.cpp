// SPDX-License-Identifier: Apache-2.0
// NDSPI's helper functions, on the one provider that a host has.
#include "ndapi/ndspi/ndsupport.h"

#include <cstddef>

#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/provider.hpp"

using ndsim::Held;

namespace {

HRESULT no_addresses(SOCKET_ADDRESS_LIST* list, SIZE_T* size) {
    constexpr SIZE_T kNeeded = offsetof(SOCKET_ADDRESS_LIST, Address);
    const bool fits = list != nullptr && *size >= kNeeded;
    *size = kNeeded;
    if (!fits) {
        return ND_BUFFER_OVERFLOW;
    }
    list->iAddressCount = 0;
    return ND_SUCCESS;
}

HRESULT addresses_of_version_2(SOCKET_ADDRESS_LIST* list, SIZE_T* size) {
    const Held<IND2Provider> provider = ndsim::provider_of_version_2();
    if (!provider) {
        return no_addresses(list, size);
    }
    auto bytes = static_cast<ULONG>(*size);
    const HRESULT result = provider->QueryAddressList(list, &bytes);
    *size = bytes;
    return result;
}

HRESULT addresses_of_version_1(SOCKET_ADDRESS_LIST* list, SIZE_T* size) {
    const Held<INDProvider> provider = ndsim::provider_of_version_1();
    return provider ? provider->QueryAddressList(list, size) : no_addresses(list, size);
}

HRESULT resolve(IND2Provider* provider, const sockaddr* address, SIZE_T size, UINT64* id) {
    return provider == nullptr ? ND_DEVICE_NOT_READY : provider->ResolveAddress(address, static_cast<ULONG>(size), id);
}

}  // namespace

HRESULT NdStartup() {
    return ND_SUCCESS;
}
HRESULT NdCleanup() {
    return ND_SUCCESS;
}
VOID NdFlushProviders() {}

// Both versions are of one adapter, so their addresses are the same, and none is emulated.
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList) {
    if ((flags & ND_QUERY_EXCLUDE_NDv2_ADDRESSES) == 0) {
        return addresses_of_version_2(pAddressList, pcbAddressList);
    }
    if ((flags & ND_QUERY_EXCLUDE_NDv1_ADDRESSES) == 0) {
        return addresses_of_version_1(pAddressList, pcbAddressList);
    }
    return no_addresses(pAddressList, pcbAddressList);
}

HRESULT NdResolveAddress(const sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress, sockaddr* pLocalAddress,
                         SIZE_T* pcbLocalAddress) {
    if (cbRemoteAddress < sizeof(sockaddr_in)) {
        return ND_INVALID_ADDRESS;
    }
    return ndsim::local_address(pRemoteAddress->sa_family, pLocalAddress, *pcbLocalAddress);
}

HRESULT NdCheckAddress(const sockaddr* pAddress, SIZE_T cbAddress) {
    UINT64 id = 0;
    return resolve(ndsim::provider_of_version_2().get(), pAddress, cbAddress, &id);
}

HRESULT NdOpenAdapter(REFIID iid, const sockaddr* pAddress, SIZE_T cbAddress, VOID** ppAdapter) {
    *ppAdapter = nullptr;
    const Held<IND2Provider> provider = ndsim::provider_of_version_2();
    UINT64 id = 0;
    const HRESULT result = resolve(provider.get(), pAddress, cbAddress, &id);
    return FAILED(result) ? result : provider->OpenAdapter(iid, id, ppAdapter);
}

HRESULT NdOpenV1Adapter(const sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppAdapter) {
    *ppAdapter = nullptr;
    const Held<INDProvider> provider = ndsim::provider_of_version_1();
    return provider ? provider->OpenAdapter(pAddress, cbAddress, ppAdapter) : ND_DEVICE_NOT_READY;
}
