// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/scenarios/run/depth.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Why more may be slower: each fall that docs/model/README.md names, and the experiment that takes its cause away.
namespace ndsim::test::falls_test {

Load load_of(const std::string& preset, std::uint64_t generators, std::uint64_t window, const std::string& members) {
    Load load;
    load.generators = generators;
    load.window = window;
    load.hosts = hosts_of(preset);
    load.members = fmt::format(R"({}, "window": {}, "count": 3000)", members, window);
    return load;
}

// What a message took, all told.
double nanoseconds_each(const Load& load, const std::vector<std::string>& overrides) {
    const ChildResult run = run_text(load.text(), overrides);
    REQUIRE(run.ended);
    return 1e9 / static_cast<double>(run.metric("traffic.t0.message_rate"));
}

Load inline_writes() {
    return load_of(
        "D", 1, 16,
        R"("operation": "write", "size": "64 B", "inline": true, "queue_pairs": 16, "choose": "round_robin")");
}

Load writes_of_2_kib() {
    return load_of("C", 1, 32, R"("operation": "write", "size": "2 KiB", "queue_pairs": 16, "choose": "round_robin")");
}

Load reads_of_8_bytes() {
    return load_of("D", 2, 8, R"("operation": "read", "size": "8 B", "queue_pairs": 8, "choose": "round_robin")");
}

// Preset D: building a WQE 40 ns, a store of 64 pushed bytes 65 ns, a doorbell 80 ns, a completion 50 ns, and a
// doorbell for each 16 completions. A Write of 64 B inline is 16 + 16 + 64 = 96 bytes, two units. While a queue pair
// has others under way, its request is not pushed; with 16 queue pairs and 16 messages each is alone.
TEST_CASE("falls: pushing two units costs the core more than a doorbell") {
    const Load load = inline_writes();
    CHECK(nanoseconds_each(load, {"traffic.t0.queue_pairs=1"}) == Catch::Approx(40 + 80 + 50 + 80. / 16).epsilon(0.01));
    CHECK(nanoseconds_each(load, {}) == Catch::Approx(40 + 2 * 65 + 50 + 80. / 16).epsilon(0.01));
    CHECK(fall(load, "queue_pairs", "1", "16") == Catch::Approx(1 - 175. / 225).margin(0.01));
    CHECK(fall(load, "queue_pairs", "1", "16", {"nic.wqe_push_max=0"}) <= kSmallFall);
    CHECK(fall(load, "queue_pairs", "1", "16", {"cpu.mmio_wc64=40 ns"}) <= kSmallFall);  // two as one doorbell
}

// Preset C: 45, 70, 90 and 55 ns. A Write of one SGE is one unit. With 32 messages on 16 queue pairs in turn none is
// alone.
TEST_CASE("falls: pushing one unit costs the core less than a doorbell") {
    const Load load = writes_of_2_kib();
    CHECK(nanoseconds_each(load, {"traffic.t0.window=12"}) == Catch::Approx(45 + 70 + 55 + 90. / 16).epsilon(0.01));
    CHECK(nanoseconds_each(load, {}) == Catch::Approx(45 + 90 + 55 + 90. / 16).epsilon(0.01));
    CHECK(fall(load, "window", "12", "32") == Catch::Approx(1 - 175.6 / 195.6).margin(0.01));
    CHECK(fall(load, "window", "12", "32", {"nic.wqe_push_max=0"}) <= kSmallFall);
    CHECK(fall(load, "window", "12", "32", {"cpu.mmio_wc64=90 ns"}) <= kSmallFall);
}

// With 8 messages on 8 queue pairs in turn, the next goes to the one whose message has just completed. With 9 that one
// still has another, so that the WQE is fetched, which takes as long as one more message in the window brings.
TEST_CASE("falls: what does not find its queue pair empty is fetched") {
    const Load load = reads_of_8_bytes();
    const std::uint64_t all = 2 * load.messages;
    const auto pushed = [&](const std::string& value) {
        const ChildResult run = run_text(load.text(), for_all(load, "window", value));
        REQUIRE(run.ended);
        return run.metric("A.nic.wqe.pushed_taken");
    };
    CHECK(pushed("8") == all);
    CHECK(pushed("9") < all / 4);
    CHECK(fall(load, "window", "8", "9") > 2 * kSmallFall);
    CHECK(fall(load, "window", "8", "9", {"nic.wqe_push_max=0"}) <= kSmallFall);
}

// Software that costs next to nothing leaves the window alone as the limit, and the falls become deeper.
const std::vector<std::string> kNoCosts{"cpu.wqe_build=1 ns", "cpu.mmio_uc=1 ns", "cpu.mmio_wc64=1 ns",
                                        "cpu.poll_cq=1 ns", "cpu.poll_detect=1 ns"};

std::vector<std::string> without_costs(std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), kNoCosts.begin(), kNoCosts.end());
    return overrides;
}

// Receives are read ahead in halves of what is allowed, one half while messages take the other. Reading all of it when
// nothing was left, as the model once did, bunched the messages of a window by its size: up to 20 % were lost from two
// to three.
TEST_CASE("falls: more receives read ahead are never slower") {
    const auto keeps = [](const Load& load, const std::vector<std::string>& experiment) {
        CHECK(fall(load, "nic.rq_prefetch", "2", "3", experiment) <= kSmallFall);
        CHECK(fall(load, "nic.rq_prefetch", "3", "4", experiment) <= kSmallFall);
    };
    for (const std::string preset : {"B", "D"}) {
        const Load load = load_of(preset, 2, 8, R"("operation": "send", "size": "8 B")");
        for (const std::string window : {"6", "8", "9", "10", "12"}) {
            keeps(load, for_all(load, "window", window));
            keeps(load, without_costs(for_all(load, "window", window)));
        }
    }
    keeps(load_of("D", 4, 10, R"("operation": "send", "size": "8 B", "inline": true)"), {});
    keeps(load_of("D", 4, 16, R"("operation": "send", "size": "8 B")"), {});
}

// With room for more in the TX FIFO payload is read further ahead of the lane, and on PCIe the WQEs of the next
// messages wait for it. A window of eight just covers that no longer; one message more does, and so does reading less
// far ahead.
TEST_CASE("falls: a window that does not cover what payload read ahead adds") {
    const Load load =
        load_of("D", 1, 8, R"("operation": "write", "size": "16 KiB", "queue_pairs": 4, "choose": "round_robin")");
    CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB") > kSmallFall);
    CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB", without_costs({})) > 5 * kSmallFall);
    CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB", {"traffic.t0.window=9"}) <= kSmallFall);
    CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB", without_costs({"traffic.t0.window=9"})) <= kSmallFall);
    CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB", without_costs({"nic.dma_reads_in_flight=64"})) <= kSmallFall);
    for (const std::string queue_pairs : {"1", "2", "8"}) {
        CHECK(fall(load, "nic.tx_fifo", "32 KiB", "64 KiB", without_costs({"traffic.t0.queue_pairs=" + queue_pairs})) <=
              kSmallFall);
    }
}

}  // namespace ndsim::test::falls_test
