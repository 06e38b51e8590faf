// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "tests/reference/model_state.hpp"

namespace ndsim::reference {

// Outcomes: what becomes of requests in an epoch, and which receives are of messages that solicit an event.
class Outcomes {
public:
    explicit Outcomes(Scene& scene) : scene_(scene) {}

    // Once more from the beginning, with the courses as they are by now.
    void settle();
    // The requests that something becomes of.
    [[nodiscard]] const std::vector<std::size_t>& ending() const { return ending_; }
    [[nodiscard]] bool is_solicited(std::size_t receive) const { return solicited_.contains(receive); }

private:
    void settle_course(std::size_t number);
    void settle_dead(Connection& connection, bool disconnects);
    void settle_direction(std::size_t number, std::size_t from);
    void settle_own_receives(const Queue& receives, std::size_t from, const Course& course);
    void settle_shared_receives(const Queue& receives, std::size_t number, std::size_t from);
    void end(std::size_t request, int fates, const std::string& failure = {}) {
        scene_.requests.give(request, fates, failure);
        ending_.push_back(request);
    }

    Scene& scene_;
    std::vector<std::size_t> ending_;
    std::set<std::size_t> solicited_;
};

}  // namespace ndsim::reference
