// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/parts/cq_watch.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/parts/srq_watch.hpp"

namespace ndsim {

// The name of a queue's watch, in metrics too: "q0_send" of the queue q0.send.
[[nodiscard]] inline std::string watch_name(std::string_view queue) {
    std::string text(queue);
    std::ranges::replace(text, '.', '_');
    return text;
}

// Watches: the watches of a host's queue pairs, completion queues or shared receive queues. Each named queue has its
// own, with underscores instead of dots. All other queues share one, as do all queues of a host with more than kMost.
template <class Watch>
class Watches final : public sc_core::sc_module {
public:
    static constexpr std::size_t kMost = 64;
    using Named = std::pair<std::string, typename Watch::Depths>;

    Watches(const sc_core::sc_module_name& name, Timeline& timeline, std::span<const Named> queues)
        : sc_module(name), others("others", timeline, typename Watch::Depths{}) {
        for (const auto& [queue, depths] : queues.size() <= kMost ? queues : std::span<const Named>{}) {
            if (&of(queue) == &others) {
                watches_.push_back(std::make_unique<Watch>(watch_name(queue).c_str(), timeline, depths));
            }
        }
    }

    [[nodiscard]] Watch& of(std::string_view name) {
        const auto found = std::ranges::find_if(
            watches_, [wanted = watch_name(name)](const auto& watch) { return watch->basename() == wanted; });
        return found == watches_.end() ? others : **found;
    }

    Watch others;

private:
    std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace ndsim
