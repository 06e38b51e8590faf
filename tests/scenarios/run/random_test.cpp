// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::random_test {

// A stream with everything drawn at random, down to the smallest queues and buffers that are valid.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : rng_(seed, "random_stream") {}

    static constexpr std::uint64_t kMessages = 300;

    [[nodiscard]] std::string text() const {
        return R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 300}}})";
    }
    [[nodiscard]] std::vector<std::string> overrides() {
        // A receiver that falls behind holds the sender off.
        std::vector<std::string> set{"nic.overflow=rnr", "nic.rnr_retry=7",
                                     "nic.mtu=" + one_of({"256", "512", "1024", "2048", "4096"})};
        const std::uint64_t size = rng_.between(1, 1U << rng_.between(0, 16));
        set.push_back("traffic.t.size=" + std::to_string(size) + " B");
        set.push_back("traffic.t.window=" + std::to_string(rng_.between(1, 64)));
        set.push_back("traffic.t.receives=" + std::to_string(rng_.between(1, 64)));
        set.push_back("traffic.t.poll_batch=" + std::to_string(rng_.between(1, 16)));
        set.push_back("hosts.A.qps.q0.sq.depth=" + std::to_string(rng_.between(1, 64)));
        set.push_back("hosts.B.qps.q0.rq.depth=64");
        set.push_back("pcie.mps=" + one_of({"128 B", "256 B", "512 B"}));
        set.push_back("pcie.mrrs=" + one_of({"128 B", "256 B", "512 B", "4 KiB"}));
        set.push_back("pcie.rcb=" + one_of({"64 B", "128 B"}));
        set.push_back("pcie.generation=" + one_of({"3", "4", "5"}));
        set.push_back("pcie.width=" + one_of({"1", "4", "8", "16"}));
        const std::initializer_list<std::pair<const char*, std::vector<std::string>>> limits{
            {"pcie.tags", {"4", "16"}},
            {"pcie.posted_headers", {"34", "40"}},
            {"pcie.posted_data", {"272"}},
            {"pcie.nonposted_headers", {"34"}},
            {"pcie.bar_posted_headers", {"4"}},
            {"pcie.arbiter_grain", {"64 B", "4 KiB"}},
            {"cpu.store_buffer", {"1", "2"}},
            {"nic.doorbell_fifo", {"1", "3"}},
            {"nic.doorbell_decode", {"300 ns"}},
            {"nic.doorbell_policy", {"coalesce"}},
            {"nic.wqe_fetch_batch", {"1", "3"}},
            {"nic.rq_fetch_batch", {"1", "3"}},
            {"nic.wqe_cache", {"16", "20"}},
            {"nic.wqe_push_max", {"0"}},
            {"nic.rq_prefetch", {"1", "2"}},
            {"nic.rq_doorbell", {"record"}},
            {"nic.sq_in_flight", {"1", "2"}},
            {"nic.dma_reads_in_flight", {"4"}},
            {"nic.dma_writes_in_flight", {"1", "2"}},
            {"nic.psn_window", {"1", "7", "64"}},
            {"nic.ack_every", {"1", "64"}},
            {"nic.ack_point", {"accepted", "visible"}},
            {"nic.tx_fifo", {"8 KiB"}},
            {"nic.rx_buffer", {"48 KiB", "64 KiB"}},
            {"nic.forward_grain", {"64 B", "4 KiB"}},
            {"nic.cq_update_every", {"1", "200"}},
            {"nic.cqe_compression", {"3", "8"}},
            {"nic.rq_park", {"1", "3"}},
            {"nic.retransmit_buffer", {"4 KiB", "1 MiB"}},
        };
        for (const auto& [path, values] : limits) {
            if (rng_.between(0, 2) == 0) {
                set.push_back(std::string(path) + "=" + values[rng_.between(0, values.size() - 1)]);
            }
        }
        return set;
    }

private:
    std::string one_of(std::initializer_list<const char*> values) {
        return values.begin()[rng_.between(0, values.size() - 1)];
    }

    Rng rng_;
};

// Each run ends by itself with every message received and nothing in flight; the engine checks that, with the pools'
// integrals and the units' own invariants, and would end with an error.
void every_message_arrives(std::uint64_t first_seed, std::uint64_t runs) {
    for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) {
        RandomStream stream(seed);
        const std::vector<std::string> overrides = stream.overrides();
        std::string shown = "seed " + std::to_string(seed);
        for (const std::string& each : overrides) {
            shown += " --set '" + each + "'";
        }
        INFO(shown);
        const ChildResult run = run_text(stream.text(), overrides);
        INFO(run.why);
        REQUIRE(run.ended);
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.metric("traffic.t.messages") == RandomStream::kMessages);
        CHECK(run.metric("traffic.t.failed") == 0);
    }
}

TEST_CASE("random streams: every message arrives, whatever the limits") {
    every_message_arrives(1, 40);
}

TEST_CASE("random streams: every message arrives, whatever the limits, many more of them", "[long]") {
    every_message_arrives(1000, 2000);
}

}  // namespace ndsim::test::random_test
