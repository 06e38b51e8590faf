// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "sim/base/ids.hpp"

namespace ndsim {

// A unit that waits for the context of a queue pair.
class ContextClient {
public:
    virtual void context_ready(QpNum qp) = 0;

protected:
    ~ContextClient() = default;
};

// The cache of queue-pair contexts.
class ContextPort : public virtual sc_core::sc_interface {
public:
    // Whether the NIC has the context of `qp`, for use now. If not, it is fetched, and context_ready() follows once for
    // each client that asked.
    [[nodiscard]] virtual bool use(QpNum qp, ContextClient& client) = 0;
};

}  // namespace ndsim
