// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/outcomes.hpp"

namespace ndsim::reference {

void Outcomes::settle() {
    ending_.clear();
    solicited_.clear();
    for (std::size_t i = 0; i < kConnections; ++i) {
        settle_course(i);
    }
}

void Outcomes::settle_course(std::size_t number) {
    Connection& connection = scene_.connections[number];
    const Course& course = scene_.courses[number];
    if (connection.state != State::alive) {
        settle_dead(connection, course.hasty || course.calm);
        return;
    }
    for (std::size_t from = 0; from < kSides; ++from) {
        settle_direction(number, from);
        if (scene_.endpoint(1 - from, number).srq) {
            settle_shared_receives(scene_.srqs[1 - from].receives, number, from);
        } else {
            settle_own_receives(connection.receives[1 - from], from, course);
        }
    }
}

// On a connection that has failed everything is cancelled, as soon as it is announced [K150].
void Outcomes::settle_dead(Connection& connection, bool disconnects) {
    for (std::size_t side = 0; side < kSides; ++side) {
        const Queue& sends = connection.sends[side];
        for (std::size_t i = 0; i < (disconnects ? sends.open.size() : sends.announced); ++i) {
            end(sends.open[i], kCancelled);
        }
        for (const std::size_t receive : connection.receives[side].open) {
            end(receive, kCancelled);
        }
    }
}

// The requests of one direction.
void Outcomes::settle_direction(std::size_t number, std::size_t from) {
    const Course& course = scene_.courses[number];
    const Queue& sends = scene_.connections[number].sends[from];
    const Queue& receives = scene_.receives_of(1 - from, number);
    const std::optional<Failure>& failure = course.failures[from];
    const int perhaps = course.is_uncertain(from) ? kCancelled : 0;
    std::size_t taken = course.first[from];
    for (std::size_t i = 0; i < sends.open.size(); ++i) {
        const std::size_t request = sends.open[i];
        if (i >= sends.announced || !course.reaches(from, i)) {
            if (course.breaks() || course.calm) {
                end(request, kCancelled);
            }
            continue;  // deferred still, or held off
        }
        if (failure && i == failure->at) {
            const int earlier = failure->unacknowledged && i > 0 ? kCancelled : 0;
            end(request, kFails | perhaps | earlier, failure->status);
            continue;
        }
        const bool may_fail = failure && failure->unacknowledged;
        const int earlier = may_fail ? kFails | kCancelled : 0;
        end(request, kSucceeds | perhaps | earlier, may_fail ? failure->status : "");
        if (const Step& step = scene_.requests.step_of(request); step.is_send()) {
            const std::size_t receive = receives.open[taken++];
            scene_.requests[receive].bytes = static_cast<std::uint32_t>(step.length());
            if (step.solicit) {
                solicited_.insert(receive);
            }
        }
    }
}

void Outcomes::settle_own_receives(const Queue& receives, std::size_t from, const Course& course) {
    const std::optional<Failure>& failure = course.failures[from];
    const int perhaps = course.is_uncertain(from) ? kCancelled : 0;
    for (std::size_t i = 0; i < receives.open.size(); ++i) {
        if (i < course.matched[from]) {
            end(receives.open[i], kSucceeds | perhaps);
        } else if (failure && failure->receive == i) {
            end(receives.open[i], kFails | perhaps, failure->receive_status);
        } else if (course.breaks() || course.calm) {
            end(receives.open[i], kCancelled);
        }
    }
}

// Those that no message has taken stay, whatever becomes of the connection [K197].
void Outcomes::settle_shared_receives(const Queue& receives, std::size_t number, std::size_t from) {
    const Course& course = scene_.courses[number];
    const std::optional<Failure>& failure = course.failures[from];
    const std::size_t matched_end = course.first[from] + course.matched[from];
    for (std::size_t i = course.first[from]; i < receives.open.size(); ++i) {
        const bool fails = failure && failure->receive == i;
        if (i >= matched_end && !fails) {
            return;
        }
        Request& receive = scene_.requests[receives.open[i]];
        receive.connection = static_cast<std::uint8_t>(number);
        receive.by_chance = scene_.srqs[1 - from].contested;
        end(receives.open[i], fails ? kFails : kSucceeds, fails ? failure->receive_status : "");
    }
}

}  // namespace ndsim::reference
