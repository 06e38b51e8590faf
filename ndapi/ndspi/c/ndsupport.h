// SPDX-License-Identifier: Apache-2.0
// The helper functions of ndsupport.h, for C.
#pragma once

#include "ndapi/ndspi/c/ndspi.h"

enum {
    ND_QUERY_EXCLUDE_EMULATED_ADDRESSES = 0x00000001,
    ND_QUERY_EXCLUDE_NDv1_ADDRESSES = 0x00000002,
    ND_QUERY_EXCLUDE_NDv2_ADDRESSES = 0x00000004,
};

HRESULT NdStartup(void);
HRESULT NdCleanup(void);
VOID NdFlushProviders(void);
HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pcbAddressList);
HRESULT NdResolveAddress(const struct sockaddr* pRemoteAddress, SIZE_T cbRemoteAddress, struct sockaddr* pLocalAddress,
                         SIZE_T* pcbLocalAddress);
HRESULT NdCheckAddress(const struct sockaddr* pAddress, SIZE_T cbAddress);
HRESULT NdOpenAdapter(const IID* iid, const struct sockaddr* pAddress, SIZE_T cbAddress, VOID** ppAdapter);
HRESULT NdOpenV1Adapter(const struct sockaddr* pAddress, SIZE_T cbAddress, INDAdapter** ppAdapter);
