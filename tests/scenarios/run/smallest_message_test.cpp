// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The formula of docs/model/README.md with preset B, in picoseconds: t(n) on PCIe is n x 40625/608, w(n) on the lane
// n x 80, both rounded up.

namespace ndsim::test::smallest_message_test {

constexpr std::uint64_t t(std::uint64_t bytes) {
    return (bytes * 40'625 + 607) / 608;
}
constexpr std::uint64_t w(std::uint64_t bytes) {
    return bytes * 80;
}
constexpr std::uint64_t kFlight = 30'000 + 2 * 5'000 + 62'000;
constexpr std::uint64_t kToMemory = 135'000 + 80'000;  // one_way, write_visible
constexpr std::uint64_t kPoll = 60'000 + 60'000;       // poll_detect, poll_cq

// From the post to the packet at the peer's transport.
constexpr std::uint64_t outward(std::uint64_t payload) {
    const std::uint64_t lane = std::max<std::uint64_t>(84, 82 + (payload + 3) / 4 * 4);
    // wqe_build, mmio_wc64; doorbell; tx_pipe, lane, flight, rx_pipe.
    return 50'000 + 75'000 + t(88) + 135'000 + 70'000 + 35'000 + w(lane) + kFlight + 120'000;
}
// Payload and CQE go one behind the other, and share what is left of a picosecond between them.
constexpr std::uint64_t delivery(std::uint64_t payload) {
    return outward(payload) + t(24 + payload + 88) + kToMemory + kPoll;
}

// Messages one at a time between idle hosts; all are alike, but for those behind which software tells the NIC how far
// it has polled.
ChildResult one_at_a_time(const std::string& size, bool inlined, const std::vector<std::string>& overrides = {}) {
    return finish_text(
        fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}}, "traffic": {{"t": {{"from": "A", "to": "B", )"
                    R"("size": "{}", "count": 100, "window": 1, "inline": {}}}}}}})",
                    size, inlined),
        overrides);
}

TEST_CASE("smallest message: an inline Send of 2 bytes from the post to the poll that returns it", "[formula]") {
    CHECK(delivery(2) == 942'378);
    CHECK(one_at_a_time("2 B", true).metric("traffic.t.delivery.min") == delivery(2));
}

TEST_CASE("smallest message: an inline Send of 48 bytes still fits in one unit", "[formula][limit]") {
    CHECK(one_at_a_time("48 B", true).metric("traffic.t.delivery.min") == delivery(48));
}

TEST_CASE("smallest message: an inline Send of 49 bytes pushes a second unit", "[formula][limit]") {
    // 75 ns for its store, and 88 bytes more on PCIe.
    CHECK(one_at_a_time("49 B", true).metric("traffic.t.delivery.min") == delivery(49) + 75'000 + t(2 * 88) - t(88));
}

TEST_CASE("smallest message: a fetched Send takes the read of its payload more", "[formula]") {
    // t(24) + llc_read + t(20 + n) + 2 x one_way, n = 64.
    const std::uint64_t read = t(24) + 120'000 + t(84) + 2 * 135'000;
    CHECK(one_at_a_time("64 B", false).metric("traffic.t.delivery.min") == delivery(64) + read);
}

TEST_CASE("smallest message: what the sender's poll returns has come back as an acknowledgement", "[formula]") {
    // The payload has left for host memory (ack point dma_issued); tx_pipe, 86 bytes on the lane, flight and rx_pipe;
    // the CQE of the Send: 64 + 24 bytes.
    const std::uint64_t latency = outward(2) + t(26) + 35'000 + w(86) + kFlight + 120'000 + t(88) + kToMemory + kPoll;
    CHECK(one_at_a_time("2 B", true).metric("traffic.t.latency.min") == latency);
}

TEST_CASE("smallest message: the wait of a spinning core and the poll are in it as they are", "[formula]") {
    const ChildResult run = one_at_a_time("2 B", true, {"cpu.poll_detect=60001 ps", "cpu.poll_cq=70 ns"});
    CHECK(run.metric("traffic.t.delivery.min") == delivery(2) + 1 + 10'000);
}

}  // namespace ndsim::test::smallest_message_test
