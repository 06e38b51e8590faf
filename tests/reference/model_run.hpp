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
// connection get (execution.cpp), what becomes of them (outcomes.cpp), the bytes that move (carrying.cpp), and what the
// hosts poll (completions.cpp).
class Model {
public:
    explicit Model(const Program& program) : program_(program) {}

    Prediction run() {
        for (std::size_t epoch = 0; epoch < program_.epochs.size(); ++epoch) {
            run(epoch);
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

    void run(std::size_t epoch);
    bool post(std::size_t epoch, std::size_t step);
    bool poll(const Step& step);
    bool disconnect(const Step& step);
    [[nodiscard]] bool touch(const Step& step);
    [[nodiscard]] Course plan(const Connection& connection);
    [[nodiscard]] std::optional<Failure> plan(const Connection& connection, std::size_t from, Course& course);
    [[nodiscard]] std::optional<Failure> plan_send(const Step& step, std::size_t i, const Queue& receives,
                                                   std::size_t from, Course& course) const;
    [[nodiscard]] bool change(const Step& step, Object& object) const;
    [[nodiscard]] std::optional<std::uint32_t> address(const Step& step, const Course& course) const;
    void settle_course(std::size_t number);
    void settle_dead(Connection& connection, bool disconnects);
    void settle_direction(Connection& connection, std::size_t from, const Course& course);
    [[nodiscard]] std::map<std::string, std::uint32_t> count(std::size_t side) const;
    bool find_overruns();
    void carry(std::size_t epoch);
    void conclude();
    void reclaim(Queue& queue) const;
    [[nodiscard]] bool is_doubtful(const Request& request) const;
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
    std::map<std::size_t, std::uint32_t> remote_;          // where in the peer's memory a write or read goes

    std::array<std::set<std::string>, kSides> dead_;  // queues that have overrun in earlier epochs

    // Of the epoch.
    std::array<std::array<std::array<std::optional<std::uint8_t>, kObjects>, kSides>, kConnections>
        touched_;  // by side
    std::array<Course, kConnections> courses_;
    std::vector<std::size_t> ending_;                                  // requests that something becomes of
    std::array<std::set<std::string>, kSides> overrun_;                // queues
    std::array<std::map<std::string, std::uint32_t>, kSides> polled_;  // within the epoch
};

}  // namespace ndsim::reference
