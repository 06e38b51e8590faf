// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// One queue's depth.
struct DepthParams {
    std::uint32_t depth = 128;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 32768U), "requests that the queue holds", Mark::seen);
    }
};

// Depth of a completion queue.
struct CqDepthParams {
    std::uint32_t depth = 1024;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 4'194'303U), "completions that the queue holds", Mark::estimate);
    }
};

// What queue pairs are made of unless they say otherwise, and the adapter's limits. Defaults are preset B's.
struct QueueParams {
    DepthParams sq{128};
    DepthParams rq{512};
    CqDepthParams cq{1024};
    std::uint32_t max_sge = 30;
    std::uint32_t inline_max = 220;
    std::uint32_t wqe_push_max = 256;
    std::uint32_t cq_update_every = 16;
    std::uint32_t mtu = 4096;
    std::uint32_t rnr_timer = 12;

    template <class Field>
    void fields(Field&& field) {
        field("sq", sq, "the send queue");
        field("rq", rq, "the receive queue");
        field("cq", cq, "the completion queue");
        field("max_sge", max_sge, between(1U, 63U), "scatter/gather entries of one request", Mark::seen);
        field("inline_max", inline_max, between(0U, 1000U), "bytes that a WQE can carry inline", Mark::seen);
        field("wqe_push_max", wqe_push_max, between(0U, 256U),
              "bytes of WQE that may be pushed along with a doorbell; 0: none", Mark::estimate);
        field("cq_update_every", cq_update_every, between(1U, 65536U),
              "completions polled between two updates of the consumer index", Mark::estimate);
        field("mtu", mtu, between(256U, 4096U), "path MTU: 256, 512, 1024, 2048 or 4096", Mark::seen);
        field("rnr_timer", rnr_timer, between(0U, 31U), "code of the time that an RNR NAK asks for", Mark::seen);
    }
};

}  // namespace ndsim
