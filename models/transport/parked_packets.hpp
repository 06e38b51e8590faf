// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

// A packet from the receive pipeline, and its times.
struct Arrival {
    Packet packet;
    Interval at;
};

// ParkedPackets: packets set aside, in order of arrival for each queue pair. All lists share one store of links; a
// queue pair without packets only has an empty list.
class ParkedPackets {
public:
    // By index of the queue pair.
    [[nodiscard]] bool holds(std::uint32_t qp) const { return qp < lists_.size() && lists_[qp].first.has_value(); }
    [[nodiscard]] bool empty() const { return free_.size() == links_.size(); }
    [[nodiscard]] const Arrival& front(std::uint32_t qp) const { return links_[*lists_[qp].first].arrival; }

    void add(std::uint32_t qp, const Arrival& arrival) {
        const std::uint32_t link = take_slot(links_, free_);
        links_[link] = {arrival, std::nullopt};
        List& list = grown(lists_, qp);
        (list.first ? links_[list.last].next : list.first) = link;
        list.last = link;
    }
    void drop_front(std::uint32_t qp) {
        std::optional<std::uint32_t>& first = lists_[qp].first;
        free_.push_back(*first);
        first = links_[*first].next;
    }

private:
    // A packet in a list.
    struct Link {
        Arrival arrival;
        std::optional<std::uint32_t> next;
    };
    // The packets of one queue pair.
    struct List {
        std::optional<std::uint32_t> first;
        std::uint32_t last = 0;  // valid if there is a first one
    };

    std::vector<Link> links_;
    std::vector<std::uint32_t> free_;
    std::vector<List> lists_;
};

}  // namespace ndsim
