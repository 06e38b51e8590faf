// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "scenarios/result/expectations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The buffers of a generator, and what they do to the last-level cache.

namespace ndsim::test::buffers_test {

// 11 ways of 128 KiB, of which a device's writes may fill 2: 256 KiB, or 64 buffers of 4 KiB. The other 9 have room for
// all rings.
const std::vector<std::string> kSmallCache{"root.llc_size=1408 KiB", "root.llc_ways=11", "root.ddio_ways=2"};

ChildResult run_pages(std::uint32_t buffers, const std::string& more = "", const std::string& mtu = "4096") {
    std::vector<std::string> overrides = kSmallCache;
    overrides.push_back("nic.mtu=" + mtu);
    return run_traffic(fmt::format(R"("size": "4 KiB", "count": 1000, "buffers": {}{})", buffers, more), overrides);
}

TEST_CASE("buffers: what fits the ways for devices costs no DRAM, of one more every message does") {
    for (const std::string operation : {"send", "write"}) {
        INFO(operation);
        const std::string more = fmt::format(R"(, "operation": "{}")", operation);
        CHECK(run_pages(1, more).metric("B.root.dram_writes") == 0);
        CHECK(run_pages(64, more).metric("B.root.dram_writes") == 0);
        // Used in turn, each one goes just before its turn comes again: only the first 64 messages find room.
        CHECK(run_pages(65, more).metric("B.root.dram_writes") == 1000 - 64);
        CHECK(run_pages(512, more).metric("B.root.dram_writes") == 1000 - 64);
    }
}

TEST_CASE("buffers: lines make room for lines, so that each packet of a message pays") {
    // Four packets of 1024 bytes for each message.
    CHECK(run_pages(65, "", "1024").metric("B.root.dram_writes") == 4 * (1000 - 64));
}

TEST_CASE("buffers: of Reads it is the reader's cache that they go through") {
    const std::string read = R"(, "operation": "read")";
    CHECK(run_pages(64, read).metric("A.root.dram_writes") == 0);
    CHECK(run_pages(65, read).metric("A.root.dram_writes") == 1000 - 64);
    CHECK(run_pages(65, read).metric("B.root.dram_writes") == 0);
}

TEST_CASE("buffers: a message that drives others to DRAM is later and the rate less") {
    const ChildResult fits = run_pages(64, R"(, "window": 1)");
    const ChildResult beyond = run_pages(65, R"(, "window": 1)");
    // Its payload is visible 80 ns later (dram_extra). The CQE follows the payload by 88 B at 40625/608 ps a byte,
    // 5.880 ns, and had those in reserve.
    const auto later = static_cast<std::int64_t>(beyond.metric("traffic.t.delivery.min")) -
                       static_cast<std::int64_t>(fits.metric("traffic.t.delivery.min"));
    CHECK(std::abs(later - (80'000 - 5'880)) <= 2);
    CHECK(beyond.metric("traffic.t.message_rate") <= fits.metric("traffic.t.message_rate"));
}

TEST_CASE("buffers: with few credits the rate falls by that time, as they come back later") {
    // Of 272 credits for 16 B each a message takes 256, so the next one waits until they are back, and that is when it
    // is visible, and some time for the way back: dram_extra comes to the period of the messages.
    std::vector<std::string> overrides = kSmallCache;
    overrides.push_back("hosts.B.pcie.posted_data=272");
    const auto period = [&](std::uint32_t buffers) {
        const ChildResult run =
            run_traffic(fmt::format(R"("size": "4 KiB", "count": 3000, "buffers": {})", buffers), overrides);
        return 1e12 / static_cast<double>(run.metric("traffic.t.message_rate"));
    };
    CHECK(period(65) - period(64) == Catch::Approx(80'000).epsilon(0.02));
}

TEST_CASE("buffers: message n comes from, and goes to, the n-th place") {
    // Of 100 bytes each, so a place is two lines long.
    for (const std::string operation : {"send", "write"}) {
        RunOptions options;
        options.inspect = [](const Evidence& evidence) {
            const auto source = evidence.memory("A.traffic.t.source");
            const auto sink = evidence.memory("B.traffic.t.sink");
            if (sink.size() != 2 * 128 + 100 || source.size() != sink.size()) {
                throw std::runtime_error("the regions have other sizes");
            }
            for (std::size_t i = 0; i < sink.size(); ++i) {
                if (sink[i] != (i % 128 < 100 ? source[i] : std::byte{0})) {
                    throw std::runtime_error("byte " + std::to_string(i) + " is wrong");
                }
            }
        };
        const ChildResult run =
            finish_text(fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}}, "traffic": {{"t": {{"from": "A", "to": "B",
                "operation": "{}", "size": "100 B", "count": 5, "buffers": 3}}}}}})",
                                    operation),
                        {}, options);
        CHECK(run.metric("traffic.t.messages") == 5);
    }
}

}  // namespace ndsim::test::buffers_test
