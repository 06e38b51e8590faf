// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::jitter_test {

std::string sends(const std::string& window, const std::string& count, const std::string& more = "") {
    return R"({"hosts": {"A": {}, "B": {})" + std::string(more.empty() ? "}" : R"(, "C": {}, "D": {}},
                                        "links": {"l0": {"between": ["A", "B"]}, "l1": {"between": ["C", "D"]}})") +
           R"(, "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": )" + count + R"(, "window": )" +
           window + "}" + more + "}}";
}
const std::vector<std::string> kAll{"cpu.poll_jitter=200 ns", "cpu.repost_jitter=100 ns", "cpu.preempt_every=20 us",
                                    "cpu.preempt_time=2 us"};

std::map<std::string, std::uint64_t> metrics_of(const std::string& text, const std::vector<std::string>& overrides) {
    return finish_text(text, overrides).metrics;
}

double value(const std::map<std::string, std::uint64_t>& metrics, const char* name) {
    return static_cast<double>(metrics.at(name));
}

TEST_CASE("host jitter: while it is off, neither the seed nor the length of a preemption matters") {
    const auto plain = metrics_of(sends("8", "500"), {});
    CHECK(metrics_of(sends("8", "500"), {"cpu.preempt_time=1 ms", "seed=7"}) == plain);
}

TEST_CASE("host jitter: a seed gives the same figures again, another one gives others") {
    std::vector<std::string> overrides = kAll;
    const auto first = metrics_of(sends("8", "500"), overrides);
    CHECK(metrics_of(sends("8", "500"), overrides) == first);
    overrides.emplace_back("seed=7");
    CHECK(metrics_of(sends("8", "500"), overrides) != first);
}

// Hosts C and D, and their generator, change nothing on A and B.
TEST_CASE("host jitter: other hosts do not move a host's random numbers") {
    const auto alone = metrics_of(sends("8", "500"), kAll);
    const std::string other = R"(, "u": {"from": "C", "to": "D", "size": "64 B", "count": 300, "window": 4})";
    const auto together = metrics_of(sends("8", "500", other), kAll);
    for (const char* metric :
         {"traffic.t.latency.mean", "traffic.t.latency.max", "traffic.t.delivery.mean", "traffic.t.delivery.max"}) {
        INFO(metric);
        CHECK(together.at(metric) == alone.at(metric));
    }
}

// One message at a time, and nothing else wakes the core that polls for its end: the receiver's of Sends, the sender's
// of Writes. The mean of 10,000 exponential times deviates by 1 %; five times that are 10 ns.
TEST_CASE("host jitter: a spinning core notices completions later, by the mean on average") {
    const auto check = [](const std::vector<std::string>& operation, const char* metric) {
        INFO(metric);
        std::vector<std::string> overrides = operation;
        overrides.emplace_back("measure.warmup=0");
        const auto plain = metrics_of(sends("1", "10000"), overrides);
        overrides.emplace_back("cpu.poll_jitter=200 ns");
        const auto late = metrics_of(sends("1", "10000"), overrides);
        CHECK(value(late, metric) - value(plain, metric) == Catch::Approx(200'000).margin(10'000));
    };
    check({}, "traffic.t.delivery.mean");
    check({"traffic.t.operation=write"}, "traffic.t.latency.mean");
}

// 4000 receives are posted again 1 us later on average; that deviates by 1.6 %, five times that are 8 %.
TEST_CASE("host jitter: the receiver is busy before it posts again") {
    const auto plain = metrics_of(sends("4", "4000"), {});
    const auto late = metrics_of(sends("4", "4000"), {"cpu.repost_jitter=1 us", "measure.warmup=0"});
    CHECK(plain.at("B.cpu_t.other") == 0);
    CHECK(value(late, "B.cpu_t.other") == Catch::Approx(4000e6).epsilon(0.08));
    CHECK(late.at("A.cpu_t.other") == 0);
}

// The sender's core is what bounds small messages, so it is never idle: of 10 us + 1 us it is away for 1 us. In 10 ms
// it is preempted 900 times, whose number deviates by 3.3 %; five times that are 17 %.
TEST_CASE("host jitter: a preempted core does nothing, and its time is accounted for") {
    const std::vector<std::string> bound{"hosts.A.cpu.wqe_build=1 us"};
    const auto plain = metrics_of(sends("64", "8000"), bound);
    const auto late =
        metrics_of(sends("64", "8000"), {bound[0], "hosts.A.cpu.preempt_every=10 us", "hosts.A.cpu.preempt_time=1 us"});
    CHECK(plain.at("A.cpu_t.preempted") == 0);
    CHECK(late.at("B.cpu_t.preempted") == 0);
    const double busy = value(late, "A.cpu_t.build") + value(late, "A.cpu_t.store") + value(late, "A.cpu_t.poll");
    CHECK(value(late, "A.cpu_t.preempted") == Catch::Approx(busy / 10).epsilon(0.17));
    CHECK(value(late, "traffic.t.message_rate") ==
          Catch::Approx(value(plain, "traffic.t.message_rate") * 10 / 11).epsilon(0.02));
}

}  // namespace ndsim::test::jitter_test
