// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/ports/dma.hpp"

namespace ndsim {

// RefusedClients: the units whose reads of one class were refused because another read waits. They are told in turns
// when it has gone.
class RefusedClients {
public:
    void add(ReadClient& client) {
        if (std::find(refused_.begin(), refused_.end(), &client) == refused_.end()) {
            refused_.push_back(&client);
        }
    }
    // Tells them until a read of one of them waits. The others come before that one the next time: it tries again at
    // once, so else it would always be first.
    void tell(ReadClass cls, const std::optional<std::uint32_t>& waiting) {
        told_.swap(refused_);
        std::size_t told = 0;
        while (told < told_.size() && !waiting) {
            told_[told++]->read_space(cls);
        }
        told_.erase(told_.begin(), told_.begin() + static_cast<std::ptrdiff_t>(told));
        for (ReadClient* const client : refused_) {
            if (std::find(told_.begin(), told_.end(), client) == told_.end()) {
                told_.push_back(client);
            }
        }
        told_.swap(refused_);
        told_.clear();
    }

private:
    std::vector<ReadClient*> refused_;  // in the order in which they tried
    std::vector<ReadClient*> told_;
};

}  // namespace ndsim
