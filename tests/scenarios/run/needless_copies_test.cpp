// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::needless_copies_test {

// All figures of ledgers: means, percentiles, and the longest time in each account.
std::map<std::string, std::uint64_t> ledgers_of(const ChildResult& run) {
    std::map<std::string, std::uint64_t> found;
    for (const auto& [name, value] : run.metrics) {
        if (name.starts_with("ledger.")) {
            found.emplace(name, value);
        }
    }
    return found;
}

// The answer takes 2 x 50 us on 10 km of cable. The timeout with code 4 is 65.5 us, so each request is sent again, in
// vain; with code 5 it is 131 us.
TEST_CASE("ledger: what is sent again in vain is no time of a request, and the timeout no limit") {
    for (const std::string operation : {"write", "send", "read"}) {
        const std::string text = R"({
            "hosts": {"A": {"nic": {"rx_buffer": "16 MiB"}}, "B": {"nic": {"rx_buffer": "16 MiB"}}},
            "links": {"l0": {"length": "10 km"}},
            "traffic": {"t": {"from": "A", "to": "B", "operation": ")" +
                                 operation + R"(", "size": "4 KiB",
                              "window": 1, "count": 100}}})";
        const ChildResult in_vain = run_text(text, {"nic.timeout_code=4"});
        const ChildResult once = run_text(text, {"nic.timeout_code=5"});
        INFO(operation);
        CHECK(in_vain.metric("A.nic.completer.timeouts") >= 100);
        CHECK(once.metric("A.nic.completer.timeouts") == 0);
        CHECK(ledgers_of(in_vain) == ledgers_of(once));
        CHECK(ledgers_of(once).size() > 10);
        for (const ChildResult::SeenLimit& limit : in_vain.limits) {
            CHECK(limit.parameter.find("timeout_code") == std::string::npos);
        }
    }
}

// The second answer is on its way when the Read is done. A generator's time and the ledger's differ by the same, fault
// or no fault.
TEST_CASE("ledger: a Read whose request the link has doubled ends with its completion") {
    const auto more_than_ledger = [](const std::string& faults) {
        const ChildResult run = run_text(R"({
            "hosts": {"A": {}, "B": {}},
            "traffic": {"t": {"from": "A", "to": "B", "operation": "read", "size": "16 KiB", "window": 4,
                              "count": 100}},
            "measure": {"warmup": 0},
            "faults": [)" + faults + "]}");
        CHECK((run.metric("A.nic.read_responses.dropped") > 0) == !faults.empty());
        return run.metric("traffic.t.latency.mean") - run.metric("ledger.A.read.mean");
    };
    CHECK(more_than_ledger(R"({"duplicate": "A", "packet": 33})") == more_than_ledger(""));
}

// The Write is on its way for 50 us. The queue pair is flushed after 5 us, by a command of some microseconds.
TEST_CASE("ledger: a request that is flushed ends then, wherever its packets are") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"api": "ndspi2", "buffers": {"m": {}}, "nic": {"rx_buffer": "16 MiB"}},
                  "B": {"api": "ndspi2", "buffers": {"m": {}}, "nic": {"rx_buffer": "16 MiB"}}},
        "links": {"l0": {"length": "10 km"}},
        "programs": {"A": [{"sleep": "20 us"}, {"post": "write", "buffer": "m", "size": "64 B", "to": "B.m"},
                           {"sleep": "5 us"}, {"flush": "q0"}, {"poll": "q0.send"}]}})");
    CHECK(run.metric("ledger.A.write.count") == 1);
    CHECK(run.metric("ledger.A.write.max") < 40'000'000);  // ps
}

}  // namespace ndsim::test::needless_copies_test
