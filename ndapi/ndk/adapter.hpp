// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/driver.hpp"
#include "ndapi/ndk/ndisndk.h"
#include "ndapi/ndk/ndkpi.h"

namespace ndsim::ndk {

// OpenNDKAdapterHandler of this provider: STATUS_SUCCESS, or NDIS_STATUS_BAD_VERSION [K10, K11].
[[nodiscard]] NDIS_STATUS open_adapter(core::Driver& driver, NDK_VERSION wanted, NDK_ADAPTER** adapter);
// CloseNDKAdapterHandler: returns when every object of the adapter is closed; blocks the calling thread until then.
void close_adapter(NDK_ADAPTER* adapter);

// The driver's report to NDIS at its start; `info` takes the report of an adapter of the newest version.
[[nodiscard]] NDIS_NDK_CAPABILITIES capabilities(const core::Driver& driver, NDK_ADAPTER_INFO& info);
// The content of OID_NDK_STATISTICS.
[[nodiscard]] NDIS_NDK_PERFORMANCE_COUNTERS performance_counters(core::Driver& driver);

}  // namespace ndsim::ndk
