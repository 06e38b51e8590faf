// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/reference/memory.hpp"
#include "tests/reference/model.hpp"
#include "tests/reference/model_state.hpp"

namespace ndsim::reference {

// One run of the model over a program, epoch by epoch: what is posted (posting.cpp), how far the requests of each
// connection get (execution.cpp), who takes the receives of a shared queue (sharing.cpp), what becomes of requests
// (outcomes.cpp), the bytes that move (carrying.cpp), what the hosts poll (completions.cpp), and of what they are
// notified (notifications.cpp).
class Model {
public:
    explicit Model(const Program& program);

    // As far as everything is certain.
    Prediction run() {
        for (std::size_t epoch = 0; epoch < program_.epochs.size() && result_.doubts.empty(); ++epoch) {
            run(epoch);
        }
        for (std::uint8_t i = 0; i < kConnections; ++i) {
            if (courses_[i].held[0] || courses_[i].held[1]) {
                result_.held.push_back(i);
            }
        }
        result_.memory = memories_.bytes();
        return std::move(result_);
    }

private:
    [[nodiscard]] const Step& step_of(std::size_t request) const {
        const Request& r = result_.requests[request];
        return program_.epochs[r.epoch][r.step];
    }
    [[nodiscard]] const Endpoint& endpoint(std::size_t side, std::size_t connection) const {
        return program_.endpoints[side][connection];
    }
    [[nodiscard]] std::string documented_or(const char* documented, const char* infiniband) const {
        return program_.infiniband ? infiniband : documented;
    }

    [[nodiscard]] Queue& receives_of(std::size_t side, std::size_t connection) {
        return endpoint(side, connection).srq ? srqs_[side].receives : connections_[connection].receives[side];
    }

    void run(std::size_t epoch);
    void begin(std::size_t epoch);
    bool carry_out(std::size_t epoch, std::size_t step);
    bool post(std::size_t epoch, std::size_t step);
    bool poll(const Step& step);
    bool disconnect(const Step& step);
    bool touch(const Step& step);

    bool set(std::size_t index, const Step& step);
    static bool arm(std::size_t index, const Step& step, CompletionQueue& cq);
    static bool resize(std::size_t index, const Step& step, CompletionQueue& cq);
    bool modify(const Step& step, SharedQueue& srq);
    void notify(std::size_t epoch);
    void notify(std::size_t epoch, std::size_t side, const std::string& name, CompletionQueue& cq);
    void notify(std::size_t side, SharedQueue& srq);
    [[nodiscard]] bool is_met(std::size_t side, const std::string& name, CompletionQueue& cq);
    void arm_at_rest(Wish wish, std::size_t side, const std::string& name, CompletionQueue& cq, const Present& present);
    void tell(std::size_t side, const std::string& name, CompletionQueue& cq);
    void tell(std::size_t side, SharedQueue& srq);

    [[nodiscard]] Course plan(std::size_t number);
    [[nodiscard]] std::optional<Failure> plan(std::size_t number, std::size_t from, Course& course);
    void check_fences(const Queue& sends);
    [[nodiscard]] std::optional<Failure> plan_send(const Step& step, std::size_t i, const Queue& receives,
                                                   std::size_t from, Course& course) const;
    [[nodiscard]] std::optional<Failure> plan_remote(std::size_t request, std::size_t i, std::size_t from,
                                                     Course& course);
    [[nodiscard]] bool change(const Step& step, Object& object) const;
    [[nodiscard]] std::optional<std::uint32_t> address(const Step& step, const Course& course) const;
    void share(std::size_t side);
    void check_shares(std::size_t side);
    void doubt_sends(std::size_t connection, std::size_t from);
    [[nodiscard]] std::vector<std::uint32_t> lengths(std::size_t connection, std::size_t from) const;

    void settle_course(std::size_t number);
    void settle_dead(Connection& connection, bool disconnects);
    void settle_direction(std::size_t number, std::size_t from);
    void settle_own_receives(const Queue& receives, std::size_t from, const Course& course);
    void settle_shared_receives(const Queue& receives, std::size_t number, std::size_t from);
    void doubt(std::size_t request, Doubt::Remedy remedy) {
        result_.doubts.push_back({result_.requests[request].epoch, result_.requests[request].step, remedy});
    }
    void end(std::size_t request, int fates, const std::string& failure = {}) {
        give(request, static_cast<std::uint8_t>(fates), failure);
        ending_.push_back(request);
    }
    [[nodiscard]] std::map<std::string, std::uint32_t> count(std::size_t side) const;
    [[nodiscard]] bool completes_in(const Request& request, std::size_t side, const std::string& name) const;
    bool find_overruns();
    void carry(std::size_t epoch);
    [[nodiscard]] std::optional<Transfer> transfer(std::size_t request, std::size_t number, std::size_t& taken);
    void conclude();
    void conclude(Queue& queue) const;
    void reclaim(Queue& queue) const;
    [[nodiscard]] bool is_doubtful(const Request& request) const;
    [[nodiscard]] bool may_be_refused(const Request& request) const;
    void give(std::size_t request, std::uint8_t fates, const std::string& failure = {}) {
        result_.requests[request].fates = fates;
        result_.requests[request].failure = failure;
    }

    const Program& program_;
    Prediction result_;
    std::array<Connection, kConnections> connections_;
    Memories memories_;
    std::array<std::uint32_t, kSides> labels_{};
    std::map<std::size_t, std::vector<Origin>> captured_;  // of inline requests that are deferred
    std::map<std::size_t, std::vector<Origin>> posted_;    // what others, that did not get through, were to carry
    std::map<std::size_t, std::uint32_t> remote_;          // where in the peer's memory a write or read goes
    std::map<std::size_t, Span> sinks_;                    // of reads into a region, in memory
    std::array<SharedQueue, kSides> srqs_;
    std::array<std::map<std::string, CompletionQueue>, kSides> cqs_;

    std::array<std::set<std::string>, kSides> dead_;  // queues that have overrun in earlier epochs

    // Of the epoch.
    std::array<std::array<std::array<std::optional<std::uint8_t>, kObjects>, kSides>, kConnections>
        touched_;  // by side
    std::array<Course, kConnections> courses_;
    std::vector<std::size_t> ending_;                                  // requests that something becomes of
    std::set<std::size_t> solicited_;                                  // receives, if their messages arrive
    std::array<std::set<std::string>, kSides> overrun_;                // queues
    std::array<std::map<std::string, std::uint32_t>, kSides> polled_;  // within the epoch
};

}  // namespace ndsim::reference
