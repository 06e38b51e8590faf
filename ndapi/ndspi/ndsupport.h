// SPDX-License-Identifier: Apache-2.0
// The helper functions that spare a client the search for providers (win.md 1). NdStartup comes first, NdCleanup last.
#pragma once

#include "ndapi/ndspi/ndspi.h"

// Which addresses NdQueryAddressList leaves out.
constexpr DWORD ND_QUERY_EXCLUDE_EMULATED_ADDRESSES = 0x00000001;
constexpr DWORD ND_QUERY_EXCLUDE_NDv1_ADDRESSES = 0x00000002;
constexpr DWORD ND_QUERY_EXCLUDE_NDv2_ADDRESSES = 0x00000004;

extern "C" {

HRESULT NdStartup();
HRESULT NdCleanup();
// Unloads the providers that nobody uses.
VOID NdFlushProviders();

// The local addresses of all providers. ND_BUFFER_OVERFLOW with nothing but the size.
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList);
// The local address from which a remote one is reached. ND_BUFFER_OVERFLOW with nothing but the size.
HRESULT NdResolveAddress(const sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress, sockaddr* pLocalAddress,
                         SIZE_T* pcbLocalAddress);
// ND_SUCCESS if the address is that of an adapter.
HRESULT NdCheckAddress(const sockaddr* pAddress, SIZE_T cbAddress);

// The adapter of a local address, of version 2 as the interface that iid names, or of version 1.
HRESULT NdOpenAdapter(REFIID iid, const sockaddr* pAddress, SIZE_T cbAddress, VOID** ppAdapter);
HRESULT NdOpenV1Adapter(const sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppAdapter);
}
