// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// How long one request may wait for all the others (docs/model/README.md, "How long one may wait").
namespace ndsim::test::starvation_test {

constexpr std::uint64_t kNs = 1000;  // ps

// What a generator writes, as often as it may be outstanding.
struct Source {
    std::uint64_t bytes = 0;
    bool is_inline = false;
    std::uint64_t window = 0;

    [[nodiscard]] std::string members(std::uint64_t at_once) const {
        return fmt::format(R"("operation": "write", "size": "{} B", "inline": {}, "window": {}, "count": 300)", bytes,
                           is_inline, at_once);
    }
};
constexpr std::array<Source, 3> kSources{Source{64, true, 16}, Source{4096, false, 4}, Source{16384, false, 2}};

// What is scarce.
struct Scarce {
    std::vector<std::string> overrides;
    std::uint64_t store_credits = 64;
    std::uint64_t write_headers = 128;
    std::uint64_t write_data = 2048;
    std::uint64_t reads = 100;  // requests that payload may have
};

std::uint64_t up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// PCIe of preset B carries 128/130 x 8 GT/s x 16 less 5 %, 66.8 ps a byte, the wire 80.
std::uint64_t t(std::uint64_t bytes) {
    return bytes * 668 / 10;
}

// For how long one Write takes the servers that it shares with others, each once, one after the other.
std::uint64_t service(const Source& source, const Scarce& scarce) {
    // A credit comes back after one_way, the drain, update_fc and one_way: 305 ns for stores, which the doorbell FIFO
    // takes at once, and 380 ns for writes, which are visible after 80 ns. A read request is answered after 24 bytes
    // up, 120 ns of cache, 532 bytes down and two ways of 135 ns: 427 ns.
    const std::uint64_t store_round = 305 * kNs;
    const std::uint64_t write_round = 380 * kNs;
    const std::uint64_t read_round = 427 * kNs;
    const std::uint64_t store = std::max(t(24 + 128), store_round / scarce.store_credits) + 2'500;
    const std::uint64_t rate = 6'670;  // 1 / global_rate
    std::uint64_t reads = 0;
    if (!source.is_inline) {
        const std::uint64_t requests = up(source.bytes, 512) + 1;  // and one for its WQE
        reads = requests * (t(24) + read_round / scarce.reads) + t(source.bytes + 20 * up(source.bytes, 256)) + t(84);
    }
    const std::uint64_t wire = (up(source.bytes, 4096) * 98 + source.bytes + 86) * 80;  // there, and the ACK back
    // A packet goes to memory as one write, with all credits that it needs, so so many of them share a round.
    const std::uint64_t packet = std::min<std::uint64_t>(source.bytes, 4096);
    const std::uint64_t tlps = up(packet, 256);
    const std::uint64_t at_once = std::min(scarce.write_headers / tlps, scarce.write_data / up(packet, 16));
    const std::uint64_t through = t(packet + 24 * tlps);
    const std::uint64_t write = std::max(through, (write_round + through) / at_once);
    const std::uint64_t cqe = std::max(t(88), write_round / scarce.write_headers);
    return store + rate + reads + wire + up(source.bytes, 4096) * write + cqe;
}

// A core builds (50 ns), pushes two units or rings (150 or 100 ns), polls (60 ns), and tells of its polls (100 ns each
// sixteenth time) for each of its own.
constexpr std::uint64_t kCore = 267 * kNs;

std::uint64_t longest(const ChildResult& run) {
    std::uint64_t all = 0;
    for (const auto& [name, value] : run.metrics) {
        if (name.rfind("ledger.A.write.longest.", 0) == 0) {
            all = std::max(all, value);
        }
    }
    return all;
}

void check_load(int cores, const Scarce& scarce) {
    std::string traffic;
    std::uint64_t others = 0;
    std::uint64_t alone = 0;
    std::uint64_t own = 0;
    for (int i = 0; i < cores; ++i) {
        const Source& source = kSources[static_cast<std::size_t>(i) % kSources.size()];
        traffic += fmt::format(R"({}"t{}": {{"from": "A.p{}", "to": "B.p{}", {}}})", i == 0 ? "" : ", ", i, i, i,
                               source.members(source.window));
        others += source.window * service(source, scarce);
        own = std::max(own, source.window * kCore);
        if (i < static_cast<int>(kSources.size())) {
            alone = std::max(alone, longest(run_traffic(source.members(1), scarce.overrides)));
        }
    }
    const ChildResult run =
        run_text(fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}}, "traffic": {{{}}}}})", traffic), scarce.overrides);
    INFO(cores << " cores, " << fmt::format("{}", fmt::join(scarce.overrides, " ")) << run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    CHECK(longest(run) <= alone + others + own);

    for (int first = 0; first < std::min<int>(cores, kSources.size()); ++first) {
        std::vector<double> rates;
        for (int i = first; i < cores; i += static_cast<int>(kSources.size())) {
            rates.push_back(static_cast<double>(
                run.metric(fmt::format("traffic.t{}.{}", i, cores == 1 ? "goodput" : "shared_goodput"))));
        }
        const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
        CHECK(*std::min_element(rates.begin(), rates.end()) >= 0.8 * mean);
    }
}

TEST_CASE("starvation: nobody waits longer than all the others take, with one to thirty-two cores") {
    for (const int cores : {1, 2, 4, 8, 16, 32}) {
        check_load(cores, {});
    }
}

TEST_CASE("starvation: so it is with few credits for stores") {
    for (const int cores : {1, 4, 32}) {
        check_load(cores, {.overrides = {"hosts.A.pcie.bar_posted_headers=4"}, .store_credits = 4});
    }
}

TEST_CASE("starvation: so it is with few credits for writes") {
    for (const int cores : {1, 4, 32}) {
        check_load(cores, {.overrides = {"hosts.B.pcie.posted_headers=36", "hosts.B.pcie.posted_data=300"},
                           .write_headers = 36,
                           .write_data = 300});
    }
}

TEST_CASE("starvation: so it is with few tags") {
    for (const int cores : {1, 4, 32}) {
        check_load(cores, {.overrides = {"hosts.A.pcie.tags=6"}, .reads = 1});
    }
}

}  // namespace ndsim::test::starvation_test
