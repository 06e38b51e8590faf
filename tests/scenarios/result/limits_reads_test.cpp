// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/result/listed_limits.hpp"
#include "tests/support/catch.hpp"

// Limits of Reads beside other payload of their host.
namespace ndsim::test::limits_reads_test {

// The work-queue engine waits all the time with payload of w for the TX FIFO, which the lane fills. Reads of r need
// neither, and their data comes the other way.
TEST_CASE("limits: the wait of other payload for the TX FIFO does not explain that few Reads are outstanding") {
    const auto limits = [](const std::string& reads, const std::string& name, std::uint64_t share, bool is_time) {
        const Metrics metrics =
            is_time ? measured({{"l0_A_to_B.busy", 1000}, {"A.nic.wqe.tx_fifo", 1000}, {name, share}})
                    : measured({{"l0_A_to_B.busy", 1000}, {"A.nic.wqe.tx_fifo", 1000}}, {{name, share}});
        Lines lines = listed(R"({"hosts": {"A": {}, "B": {}}, "traffic": {
            "r": {"from": "A.q0", "to": "B.q0", "operation": "read", )" +
                                 reads + R"(},
            "w": {"from": "A.q1", "to": "B.q1", "operation": "write", "window": 2}}})",
                             metrics);
        CHECK(lines.at(0) == "wire l0_A_to_B 1000000 binds");
        lines.erase(lines.begin());
        return lines;
    };
    CHECK(limits(R"("window": 2)", "A.cpu_r.window_full", 950, true) == Lines{"window traffic r 950000 binds"});
    CHECK(limits(R"("window": 2)", "A.cpu_w.window_full", 950, true).empty());
    CHECK(limits(R"("window": 2)", "A.nic.read_responses.read_buffer.full", 940'000, false) ==
          Lines{"pool A.nic.read_responses.read_buffer 940000 binds"});
    // 16 Reads may be outstanding: all are if the window is 16, and none waits for that.
    const std::string outstanding = "A.qps.q0.outbound_reads.full";
    CHECK(limits(R"("window": 17)", outstanding, 900'000, false) == Lines{"pool A.nic.wqe 900000 binds"});
    CHECK(limits(R"("window": 16)", outstanding, 900'000, false).empty());
}

}  // namespace ndsim::test::limits_reads_test
