// SPDX-License-Identifier: Apache-2.0
// How an NDK adapter is opened and closed (ndkpi.md 3.0). Both calls may block.
#pragma once

#include "ndapi/ndk/ndk_types.h"

struct NDIS_OPEN_NDK_ADAPTER_PARAMETERS {
    NDK_VERSION Version;  // the version that the consumer wants
};

// Opens an instance of the adapter, which reports its own highest minor (K10). NDIS_STATUS_BAD_VERSION for another
// major or a minor beyond it, NDIS_STATUS_ADAPTER_NOT_READY while NDK is disabled (K11), NDIS_STATUS_RESOURCES.
using OPEN_NDK_ADAPTER_HANDLER = NDIS_STATUS(NDIS_HANDLE MiniportAdapterContext,
                                             NDIS_OPEN_NDK_ADAPTER_PARAMETERS* OpenNDKAdapterParameters,
                                             NDK_ADAPTER** ppNdkAdapter);

// Closes it: returns when every object below is closed and every callback has returned (K204). Never from a callback.
using CLOSE_NDK_ADAPTER_HANDLER = VOID(NDIS_HANDLE MiniportAdapterContext, NDK_ADAPTER* pNdkAdapter);
