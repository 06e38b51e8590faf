// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/model_run.hpp"

// What becomes of the requests of a connection.
namespace ndsim::reference {

void Model::settle_course(std::size_t number) {
    Connection& connection = connections_[number];
    const Course& course = courses_[number];
    if (connection.state != State::alive) {
        settle_dead(connection, course.hasty || course.calm);
        return;
    }
    for (std::size_t from = 0; from < kSides; ++from) {
        settle_direction(connection, from, course);
    }
}

// On a connection that has failed everything is cancelled, as soon as it is announced [K150].
void Model::settle_dead(Connection& connection, bool disconnects) {
    for (std::size_t side = 0; side < kSides; ++side) {
        const Queue& sends = connection.sends[side];
        for (std::size_t i = 0; i < (disconnects ? sends.open.size() : sends.announced); ++i) {
            give(sends.open[i], kCancelled);
            ending_.push_back(sends.open[i]);
        }
        for (const std::size_t receive : connection.receives[side].open) {
            give(receive, kCancelled);
            ending_.push_back(receive);
        }
    }
}

// The requests of one direction, and the receives at its other end.
void Model::settle_direction(Connection& connection, std::size_t from, const Course& course) {
    const Queue& sends = connection.sends[from];
    const Queue& receives = connection.receives[1 - from];
    const std::optional<Failure>& failure = course.failures[from];
    const bool over = course.breaks() || course.calm;
    const std::uint8_t perhaps = course.is_uncertain(from) ? kCancelled : 0;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < sends.open.size(); ++i) {
        const std::size_t request = sends.open[i];
        if (i >= sends.announced || (failure && i > failure->at)) {
            if (!over) {
                continue;  // deferred still
            }
            give(request, kCancelled);
        } else if (failure && i == failure->at) {
            const int earlier = failure->unacknowledged && i > 0 ? kCancelled : 0;
            give(request, static_cast<std::uint8_t>(kFails | perhaps | earlier), failure->status);
        } else {
            const bool may_fail = failure && failure->unacknowledged;
            const int earlier = may_fail ? kFails | kCancelled : 0;
            give(request, static_cast<std::uint8_t>(kSucceeds | perhaps | earlier), may_fail ? failure->status : "");
            if (step_of(request).is_send()) {
                result_.requests[receives.open[taken++]].bytes = static_cast<std::uint32_t>(step_of(request).length());
            }
        }
        ending_.push_back(request);
    }
    for (std::size_t i = 0; i < receives.open.size(); ++i) {
        const std::size_t receive = receives.open[i];
        if (i < course.matched[from]) {
            give(receive, kSucceeds | perhaps);
        } else if (failure && failure->receive == i) {
            give(receive, kFails | perhaps, failure->receive_status);
        } else if (over) {
            give(receive, kCancelled);
        } else {
            continue;
        }
        ending_.push_back(receive);
    }
}

}  // namespace ndsim::reference
