// SPDX-License-Identifier: Apache-2.0
// Helper functions that search for providers (win.md 1). NdStartup comes first, NdCleanup last. For C++ and C.
#pragma once

#ifdef __cplusplus
#include "ndapi/ndspi/ndspi.h"
#else
#include "ndapi/ndspi/c/ndspi.h"
#endif

// Addresses that NdQueryAddressList leaves out.
NDSIM_CONSTANT(DWORD, ND_QUERY_EXCLUDE_EMULATED_ADDRESSES, 0x00000001);
NDSIM_CONSTANT(DWORD, ND_QUERY_EXCLUDE_NDv1_ADDRESSES, 0x00000002);
NDSIM_CONSTANT(DWORD, ND_QUERY_EXCLUDE_NDv2_ADDRESSES, 0x00000004);

#ifdef __cplusplus
extern "C" {
#endif

HRESULT NdStartup(void);
HRESULT NdCleanup(void);
// Unloads unused providers.
VOID NdFlushProviders(void);

// The local addresses of all providers. ND_BUFFER_OVERFLOW returns only the size.
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList);
// The local address from which a remote one is reached. ND_BUFFER_OVERFLOW returns only the size.
HRESULT NdResolveAddress(const struct sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress, struct sockaddr* pLocalAddress,
                         SIZE_T* pcbLocalAddress);
// ND_SUCCESS if an adapter has the address.
HRESULT NdCheckAddress(const struct sockaddr* pAddress, SIZE_T cbAddress);

// Opens the adapter of a local address, for version 2 as the interface that iid names, or for version 1.
HRESULT NdOpenAdapter(REFIID iid, const struct sockaddr* pAddress, SIZE_T cbAddress, VOID** ppAdapter);
HRESULT NdOpenV1Adapter(const struct sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppAdapter);

#ifdef __cplusplus
}
#endif
