// SPDX-License-Identifier: Apache-2.0
// NetworkDirect's provider with one adapter at 10.0.0.1, which counts its references. It opens no adapter, but says
// what it was asked for.
#pragma once

#include <cstring>

#include "ndapi/ndspi/ndspi.h"
#include "ndapi/windows/abi/byteorder.h"

constexpr UINT64 kAdapterId = 77;

inline sockaddr_in address_of_adapter() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(0x0A000001);
    return address;
}

// A list of one address, and the address behind it.
struct OneAddress {
    SOCKET_ADDRESS_LIST list;
    sockaddr_in address;
};

template <class Size>
HRESULT give_address(SOCKET_ADDRESS_LIST* list, Size* size) {
    const bool fits = list != nullptr && *size >= sizeof(OneAddress);
    *size = sizeof(OneAddress);
    if (!fits) {
        return ND_BUFFER_OVERFLOW;
    }
    auto* const given = reinterpret_cast<OneAddress*>(list);
    given->address = address_of_adapter();
    given->list.iAddressCount = 1;
    given->list.Address[0] = {reinterpret_cast<sockaddr*>(&given->address), sizeof(sockaddr_in)};
    return ND_SUCCESS;
}

inline bool is_adapter(const sockaddr* address) {
    const auto* ipv4 = reinterpret_cast<const sockaddr_in*>(address);
    return ipv4->sin_family == AF_INET && ipv4->sin_addr.s_addr == address_of_adapter().sin_addr.s_addr;
}

class FakeProvider2 final : public IND2Provider {
public:
    int references = 0;  // that the program has
    UINT64 opened = 0;

    HRESULT QueryInterface(REFIID, VOID** ppvObject) override {
        *ppvObject = nullptr;
        return E_NOINTERFACE;
    }
    ULONG AddRef() override { return static_cast<ULONG>(++references); }
    ULONG Release() override { return static_cast<ULONG>(--references); }
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* pAddressList, ULONG* pcbAddressList) override {
        return give_address(pAddressList, pcbAddressList);
    }
    HRESULT ResolveAddress(const sockaddr* pAddress, ULONG, UINT64* pAdapterId) override {
        *pAdapterId = kAdapterId;
        return is_adapter(pAddress) ? ND_SUCCESS : ND_INVALID_ADDRESS;
    }
    HRESULT OpenAdapter(REFIID iid, UINT64 adapterId, VOID** ppAdapter) override {
        opened = adapterId;
        *ppAdapter = nullptr;
        return iid == IID_IND2Adapter ? ND_NO_MEMORY : E_NOINTERFACE;
    }
};

class FakeProvider1 final : public INDProvider {
public:
    int references = 0;

    HRESULT QueryInterface(REFIID, VOID** ppvObject) override {
        *ppvObject = nullptr;
        return E_NOINTERFACE;
    }
    ULONG AddRef() override { return static_cast<ULONG>(++references); }
    ULONG Release() override { return static_cast<ULONG>(--references); }
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pBufferSize) override {
        return give_address(pAddressList, pBufferSize);
    }
    HRESULT OpenAdapter(const sockaddr* pAddress, SIZE_T, INDAdapter** ppAdapter) override {
        *ppAdapter = nullptr;
        return is_adapter(pAddress) ? ND_NO_MEMORY : ND_INVALID_ADDRESS;
    }
};
