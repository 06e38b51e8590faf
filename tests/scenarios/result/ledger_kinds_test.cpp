// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::ledger_kinds_test {

// A host reads once from another. What each account of that is charged with, in picoseconds, as completions.csv has it.
std::map<std::string, std::uint64_t> accounts_of_read(const std::string& size,
                                                      const std::vector<std::string>& overrides = {}) {
    RunOptions options;
    options.folder = temporary_folder();
    finish_text(
        R"({"hosts": {"A": {"buffers": {"to": {"size": "1 MiB"}}}, "B": {"buffers": {"from": {"size": "1 MiB"}}}},
        "programs": {"A": [{"post": "read", "buffer": "to", "size": ")" +
            size + R"(", "from": "B.from"}, {"poll": "q0.send"}]}})",
        overrides, options);
    std::istringstream lines(file_text(options.folder + "/completions.csv"));
    std::string head;
    std::string row;
    std::getline(lines, head);
    std::getline(lines, row);
    std::istringstream names(head);
    std::istringstream values(row);
    std::map<std::string, std::uint64_t> accounts;
    std::string value;
    for (std::string name; std::getline(names, name, ',') && std::getline(values, value, ',');) {
        if (name.ends_with("_ps")) {
            accounts[name.substr(0, name.size() - 3)] = std::stoull(value);
        }
    }
    return accounts;
}

// One at a time nothing waits: a Read's ledger begins and ends with what the generator measures, and both leave out the
// tenth that is the warm-up.
TEST_CASE("ledger: a run of Reads alone has theirs") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "operation": "read", "size": "64 B", "count": 100, "window": 1}}})",
                                        {"nic.cq_update_every=1000"});  // else some polls last as long as a store more
    CHECK(run.metric("ledger.A.read.count") == 90);
    CHECK(run.metric("ledger.A.read.mean") == run.metric("traffic.t.latency.mean"));
    CHECK(run.metric("ledger.A.read.max") == run.metric("traffic.t.latency.max"));
    CHECK_FALSE(run.metrics.contains("ledger.A.send.count"));
}

TEST_CASE("ledger: requests that change keys have theirs") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"data": {"size": "4 KiB"}},
                        "memory": {"window": {"kind": "window"}, "region": {"kind": "fast_register"}}}, "B": {}},
        "programs": {"A": [
            {"post": "bind", "memory": "window", "buffer": "data", "allow": ["remote_read"]},
            {"post": "fast_register", "memory": "region", "buffer": "data", "allow": ["remote_read"]},
            {"poll": "q0.send", "count": 2},
            {"post": "invalidate", "memory": "window"}, {"post": "invalidate", "memory": "region"},
            {"poll": "q0.send", "count": 2}]}})");
    CHECK(run.metric("ledger.A.bind.count") == 1);
    CHECK(run.metric("ledger.A.fast_register.count") == 1);
    CHECK(run.metric("ledger.A.invalidate.count") == 2);
}

TEST_CASE("ledger: a Read's scheduling at the peer is arbitration") {
    auto usual = accounts_of_read("64 B");
    auto slow = accounts_of_read("64 B", {"hosts.B.nic.read_response_sched=5325 ns"});
    CHECK(slow["arbitration"] == usual["arbitration"] + 5'000'000);  // 5325 ns instead of 325 ns
    CHECK(slow["total"] == usual["total"] + 5'000'000);
    CHECK(slow["tags"] == usual["tags"]);
}

// Its 256 responses of 4 KiB take 256 x 0.334 us = 85 us on the lane. The TX FIFO holds 64 KiB, 5.4 us of them:
// whatever comes later waits for room there, 70 us at least.
TEST_CASE("ledger: a long Read waits for the TX FIFO of the peer") {
    auto accounts = accounts_of_read("1 MiB");
    CHECK(accounts["tx"] >= 70'000'000);
    CHECK(accounts["tags"] < 1'000'000);
}

}  // namespace ndsim::test::ledger_kinds_test
