// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Generators whose queue pairs have completion queues in common: each gets its own completions, whoever polls.
namespace ndsim::test::shared_queues_test {

constexpr std::string_view kOwn = R"("qps": {"q0": {}, "q1": {}})";
constexpr std::string_view kOneForSends =
    R"("cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c"}, "q1": {"send_cq": "c"}})";
constexpr std::string_view kOneForReceives =
    R"("cqs": {"c": {}}, "qps": {"q0": {"receive_cq": "c"}, "q1": {"receive_cq": "c"}})";
constexpr std::string_view kOneForAll =
    R"("cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c", "receive_cq": "c"}, "q1": {"send_cq": "c", "receive_cq": "c"}})";

std::string hosts(std::string_view a, std::string_view b) {
    return fmt::format(R"({{"hosts": {{"A": {{{}}}, "B": {{{}}}}}, )", a, b);
}

// Nothing went wrong, and every generator got what it wanted.
void check_all_arrived(const ChildResult& run, std::size_t generators, std::uint64_t count) {
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.why.empty());
    for (std::size_t i = 0; i < generators; ++i) {
        CHECK(run.metric(fmt::format("traffic.t{}.messages", i)) == count);
        CHECK(run.metric(fmt::format("traffic.t{}.failed", i)) == 0);
    }
    for (const std::string host : {"A", "B"}) {
        CHECK(run.metric("programs." + host + ".consumer_errors") == 0);  // such as polls that overlap
        CHECK(run.metric(host + ".ndk.cq_errors") == 0);
    }
}

TEST_CASE("shared queues: two generators on one completion queue share the wire as with two") {
    const std::string traffic = R"("traffic": {"t0": {"from": "A.q0", "to": "B.q0", "count": 500},
                                               "t1": {"from": "A.q1", "to": "B.q1", "count": 500}}})";
    // One alone fills the wire, so each of two has half of that.
    const double alone = static_cast<double>(run_traffic(R"("count": 1000)").metric("traffic.t.goodput"));
    for (const auto& [a, b] :
         {std::pair{kOwn, kOwn}, {kOneForSends, kOwn}, {kOwn, kOneForReceives}, {kOneForAll, kOneForAll}}) {
        INFO(a << " and " << b);
        const ChildResult run = run_text(hosts(a, b) + traffic);
        check_all_arrived(run, 2, 500);
        for (const std::string name : {"traffic.t0.goodput", "traffic.t1.goodput"}) {
            CHECK(static_cast<double>(run.metric(name)) == Catch::Approx(alone / 2).epsilon(0.01));
        }
    }
}

TEST_CASE("shared queues: a core that polls for another does not take its time") {
    // t1 has one message outstanding at a time. Whether its completion is polled by its own core or by that of t0,
    // which polls all the time, its latency is that of a queue of its own, but for the poll that is under way: t0 takes
    // at most 16 completions at a time, 60 ns each.
    const std::string traffic =
        R"("traffic": {"t0": {"from": "A.q0", "to": "B.q0", "operation": "write", "size": "64 B", "count": 2000},
                       "t1": {"from": "A.q1", "to": "B.q1", "operation": "write", "size": "64 B", "count": 200,
                              "window": 1}}})";
    const auto mean_of = [&](std::string_view a) {
        return run_text(hosts(a, kOwn) + traffic).metric("traffic.t1.latency.mean");
    };
    const std::uint64_t own = mean_of(kOwn);
    const std::uint64_t shared = mean_of(kOneForSends);
    CHECK(shared + 60'000 >= own);
    CHECK(shared <= own + 16 * std::uint64_t{60'000});
}

// A host's queue pairs, each with completion queues of its own or with one of two that are for all.
std::string random_host(Rng& random, std::uint64_t queue_pairs) {
    constexpr std::array<std::string_view, 4> kSends{"", R"("send_cq": "c0")", R"("send_cq": "c0")",
                                                     R"("send_cq": "c1")"};
    constexpr std::array<std::string_view, 4> kReceives{"", R"("receive_cq": "c0")", R"("receive_cq": "c1")",
                                                        R"("receive_cq": "c1")"};
    std::string qps;
    for (std::uint64_t i = 0; i < queue_pairs; ++i) {
        const std::string_view sends = kSends.at(random.between(0, 3));
        const std::string_view receives = kReceives.at(random.between(0, 3));
        qps += fmt::format(R"({}"q{}": {{{}{}{}}})", i == 0 ? "" : ", ", i, sends,
                           sends.empty() || receives.empty() ? "" : ", ", receives);
    }
    return fmt::format(R"("cqs": {{"c0": {{"depth": 4096}}, "c1": {{"depth": 4096}}}}, "qps": {{{}}})", qps);
}

// On each queue pair a generator in one direction or in both.
std::string random_traffic(Rng& random, std::uint64_t queue_pairs, std::uint64_t count, std::size_t& generators) {
    constexpr std::array<std::string_view, 4> kOperations{"send", "send", "write", "read"};
    constexpr std::array<std::string_view, 4> kSizes{"8 B", "64 B", "4 KiB", "10000 B"};
    std::string traffic;
    for (std::uint64_t i = 0; i < queue_pairs; ++i) {
        const std::uint64_t directions = random.between(1, 3);
        for (const auto& [bit, from, to] : {std::tuple{1U, 'A', 'B'}, {2U, 'B', 'A'}}) {
            if ((directions & bit) == 0) {
                continue;
            }
            const std::uint64_t window = random.between(1, 40);
            traffic += fmt::format(
                R"({}"t{}": {{"from": "{}.q{}", "to": "{}.q{}", "operation": "{}", "size": "{}", "count": {},
                    "window": {}, "signal_every": {}, "poll_batch": {}}})",
                traffic.empty() ? "" : ", ", generators, from, i, to, i, kOperations.at(random.between(0, 3)),
                kSizes.at(random.between(0, 3)), count, window, random.between(1, window), random.between(1, 20));
            ++generators;
        }
    }
    return traffic;
}

void check_random(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t kCount = 100;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        Rng random(seed, "shared queues");
        const std::uint64_t queue_pairs = random.between(1, 4);
        std::size_t generators = 0;
        std::string text = hosts(random_host(random, queue_pairs), random_host(random, queue_pairs));
        text += fmt::format(R"("traffic": {{{}}}}})", random_traffic(random, queue_pairs, kCount, generators));
        INFO("seed " << seed << ": " << text);
        const std::vector<std::string> late{"hosts.A.cpu.poll_jitter=200ns", "hosts.B.cpu.poll_jitter=200ns"};
        check_all_arrived(run_text(text, seed % 2 == 0 ? late : std::vector<std::string>{}), generators, kCount);
    }
}

// The core of t1 thinks for 1 us before each Read, while that of t0 polls without rest and finds most of t1's
// completions. Both figures of a Read end with that poll; the ledger leaves out the store of the index behind it.
TEST_CASE("shared queues: the latency of a message ends with the poll that finds it, as its ledger does") {
    const ChildResult run =
        run_text(hosts(R"("cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c"}, "q1": {"send_cq": "c"}})", "") +
                 R"("traffic": {
        "t0": {"from": "A.q0", "to": "B.q0", "operation": "write", "size": "4 KiB", "count": 800, "window": 2},
        "t1": {"from": "A.q1", "to": "B.q1", "operation": "read", "size": "2 KiB", "count": 800, "think_time": "1 us"}}})");
    const auto mean = static_cast<double>(run.metric("ledger.A.read.mean"));
    CHECK(static_cast<double>(run.metric("traffic.t1.latency.mean")) == Catch::Approx(mean).epsilon(0.03));
}

// The poll of one generator frees slots of the other one's queue, whose core is behind it in time.
TEST_CASE("shared queues: send queues of a few entries whose completions the other generator polls") {
    const std::string depth = GENERATE("1", "2", "4", "8");
    check_all_arrived(run_text(R"({
        "hosts": {"A": {"cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c"}, "q1": {"send_cq": "c"}}}, "B": {}},
        "traffic": {"t0": {"from": "A.q0", "to": "B.q0", "size": "4 KiB", "count": 1000},
                    "t1": {"from": "A.q1", "to": "B.q1", "size": "16 KiB", "count": 1000}}})",
                               {"hosts.A.nic.sq.depth=" + depth}),
                      2, 1000);
}

TEST_CASE("shared queues: generators that share completion queues by chance") {
    check_random(1, 40);
}

TEST_CASE("shared queues: more generators that share completion queues by chance", "[long]") {
    check_random(1000, 2000);
}

}  // namespace ndsim::test::shared_queues_test
