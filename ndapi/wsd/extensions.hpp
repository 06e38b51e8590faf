// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "ndapi/wsd/options.hpp"
#include "ndapi/wsd/ws2san.h"

namespace ndsim::wsd {

// Whether the provider has the extension function of this GUID (W81).
[[nodiscard]] inline bool has_extension(const Options& options, const GUID& id) {
    struct Extension {
        GUID id;
        bool is_there;
    };
    const std::array extensions{Extension{WSAID_REGISTERMEMORY, true},
                                Extension{WSAID_DEREGISTERMEMORY, true},
                                Extension{WSAID_REGISTERRDMAMEMORY, true},
                                Extension{WSAID_DEREGISTERRDMAMEMORY, true},
                                Extension{WSAID_RDMAWRITE, true},
                                Extension{WSAID_RDMAREAD, options.rdma_read},
                                Extension{WSAID_MEMORYREGISTRATIONCACHECALLBACK, options.cache_callback}};
    const auto found = std::ranges::find(extensions, id, &Extension::id);
    return found != extensions.end() && found->is_there;
}

}  // namespace ndsim::wsd
