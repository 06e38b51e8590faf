// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/memory.hpp"
#include "tests/reference/model_state.hpp"

namespace ndsim::reference {

// Cargo: the bytes that requests move, and what posts have taken of memory for requests that do not get through yet.
class Cargo {
public:
    explicit Cargo(const Scene& scene) : scene_(scene) {}

    // Moves the bytes of an epoch.
    void carry(std::size_t epoch);
    // The request has ended.
    void forget(std::size_t request) { captured_.erase(request); }
    [[nodiscard]] const std::array<std::vector<Origin>, kSides>& bytes() const { return memories_.bytes(); }

private:
    [[nodiscard]] std::optional<Transfer> transfer(std::size_t request, std::size_t number, std::size_t& taken) const;

    const Scene& scene_;
    Memories memories_;
    std::map<std::size_t, std::vector<Origin>> captured_;  // of inline requests that are deferred
    std::map<std::size_t, std::vector<Origin>> posted_;    // what others, that did not get through, were to carry
};

}  // namespace ndsim::reference
