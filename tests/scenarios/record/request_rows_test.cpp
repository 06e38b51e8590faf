// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/request_rows.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::request_rows_test {

// Signals by their names, "A.nic.wqe.state".
std::vector<WaveSignal> signals_of(const std::vector<std::string>& names) {
    std::vector<WaveSignal> signals;
    for (const std::string& name : names) {
        const std::size_t dot = name.rfind('.');
        signals.push_back({name.substr(0, dot), name.substr(dot + 1), "", WaveSignal::Kind::number, 32, {}});
    }
    return signals;
}

std::vector<std::string> names_of(const std::vector<WaveSignal>& signals) {
    std::vector<std::string> names;
    for (const WaveSignal& signal : signals) {
        names.push_back(signal.unit + "." + signal.name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST_CASE("request rows: they follow the request from the core over the lane to the peer and back") {
    const std::vector<WaveSignal> signals = signals_of(
        {"l0_A_to_B.packet", "l0_A_to_B.number", "l0_A_to_B.request", "l0_B_to_A.packet", "l0_B_to_A.request",
         "B.cpu.activity", "B.nic.responder.request", "B.nic.cq.request", "A.nic.responder.request", "A.nic.cq.request",
         "A.nic.wqe.request", "A.nic.wqe.state", "A.nic.doorbell.fifo", "A.cpu_t.activity", "A.cpu_dpc.activity"});
    CHECK(names_of(request_rows(signals, {"A", "B"})) ==
          Names{"A.cpu_t.activity", "A.nic.doorbell.fifo", "A.nic.wqe.state", "A.nic.wqe.request", "l0_A_to_B.packet",
                "l0_A_to_B.request", "B.nic.responder.request", "B.nic.cq.request", "B.cpu.activity",
                "l0_B_to_A.packet", "A.nic.cq.request"});
    CHECK(names_of(request_rows(signals, {"B", "A"})) ==
          Names{"B.cpu.activity", "l0_B_to_A.packet", "l0_B_to_A.request", "A.nic.responder.request",
                "A.nic.cq.request", "A.cpu_t.activity", "l0_A_to_B.packet", "B.nic.cq.request"});
}

TEST_CASE("request rows: a switch has a lane on either side of it, and other hosts have none") {
    const std::vector<WaveSignal> signals =
        signals_of({"l0_A_to_s0.packet", "l0_A_to_s0.request", "l0_s0_to_A.packet", "l1_AB_to_s0.packet",
                    "l1_s0_to_AB.packet", "l2_s0_to_B.packet", "l2_B_to_s0.packet", "AB.nic.cq.request"});
    CHECK(names_of(request_rows(signals, {"A", "B"})) ==
          Names{"l0_A_to_s0.packet", "l0_A_to_s0.request", "l2_s0_to_B.packet", "l0_s0_to_A.packet"});
}

TEST_CASE("request rows: without a known peer there are those of the requester") {
    const std::vector<WaveSignal> signals =
        signals_of({"A.nic.wqe.request", "l0_A_to_s0.packet", "l1_s0_to_B.packet", "B.nic.cq.request"});
    CHECK(names_of(request_rows(signals, {"A", ""})) == Names{"A.nic.wqe.request", "l0_A_to_s0.packet"});
}

TEST_CASE("request rows: other hosts are set aside with their lanes and their ports at switches") {
    std::vector<WaveSignal> signals =
        signals_of({"A.nic.cq.request", "AB.nic.cq.request", "l1_AB_to_s0.packet", "l1_s0_to_AB.packet", "s0.AB.queue",
                    "s0.A.queue", "s0.buffer", "l0_A_to_s0.packet"});
    const std::vector<std::string> hosts{"A", "AB", "B"};
    set_aside(signals, hosts, {"A", ""});
    CHECK(std::ranges::none_of(signals, &WaveSignal::aside));
    set_aside(signals, hosts, {"A", "B"});
    std::erase_if(signals, [](const WaveSignal& signal) { return !signal.aside; });
    CHECK(names_of(signals) == Names{"AB.nic.cq.request", "l1_AB_to_s0.packet", "l1_s0_to_AB.packet", "s0.AB.queue"});
}

TEST_CASE("request rows: signals that keep their value are left out, and so are receives of three queues") {
    std::vector<WaveSignal> signals = signals_of(
        {"A.nic.wqe.state", "A.nic.wqe.request", "B.qps.q0.rq_ready", "B.qps.q1.rq_ready", "B.qps.q2.rq_ready"});
    signals[0].still = true;
    CHECK(names_of(request_rows(signals, {"A", "B"})) == Names{"A.nic.wqe.request"});
    signals[3].still = true;
    CHECK(names_of(request_rows(signals, {"A", "B"})) ==
          Names{"A.nic.wqe.request", "B.qps.q0.rq_ready", "B.qps.q2.rq_ready"});
}

}  // namespace ndsim::test::request_rows_test
