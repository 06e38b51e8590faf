// SPDX-License-Identifier: Apache-2.0
// Helper functions that search for providers (win.md 1). NdStartup comes first, NdCleanup last.
#pragma once

#include "ndapi/ndspi/ndspi.h"

// Addresses that NdQueryAddressList leaves out.
constexpr DWORD ND_QUERY_EXCLUDE_EMULATED_ADDRESSES = 0x00000001;
constexpr DWORD ND_QUERY_EXCLUDE_NDv1_ADDRESSES = 0x00000002;
constexpr DWORD ND_QUERY_EXCLUDE_NDv2_ADDRESSES = 0x00000004;

extern "C" {

HRESULT NdStartup();
HRESULT NdCleanup();
// Unloads unused providers.
VOID NdFlushProviders();

// The local addresses of all providers. ND_BUFFER_OVERFLOW returns only the size.
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList);
// The local address from which a remote one is reached. ND_BUFFER_OVERFLOW returns only the size.
HRESULT NdResolveAddress(const sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress, sockaddr* pLocalAddress,
                         SIZE_T* pcbLocalAddress);
// ND_SUCCESS if an adapter has the address.
HRESULT NdCheckAddress(const sockaddr* pAddress, SIZE_T cbAddress);

// Opens the adapter of a local address, for version 2 as the interface that iid names, or for version 1.
HRESULT NdOpenAdapter(REFIID iid, const sockaddr* pAddress, SIZE_T cbAddress, VOID** ppAdapter);
HRESULT NdOpenV1Adapter(const sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppAdapter);
}
