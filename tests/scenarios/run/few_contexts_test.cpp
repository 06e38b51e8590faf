// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::few_contexts_test {

// Each message of one queue pair evicts the context of the other, and each context needs a tag, as each payload does. A
// message takes a few reads of less than 1 us; 200 us are enough for ten of them many times over.
TEST_CASE("contexts: queue pairs that evict each other make progress, however few the tags are") {
    const char* const tags = GENERATE("1", "2", "3", "4");
    const char* const operation = GENERATE("write", "read", "send");
    const auto traffic = [&](const std::string& qp) {
        return R"({"from": "A.)" + qp + R"(", "to": "B.)" + qp + R"(", "size": "64 B", "count": 5, "window": 2,
                   "operation": ")" +
               operation + R"("})";
    };
    const ChildResult run = run_text(R"({"hosts": {"A": {"nic": {"qp_context_entries": 1}, "pcie": {"tags": )" +
                                     std::string(tags) + R"(}}, "B": {}}, "limits": {"time": "200 us"},
                                     "traffic": {"t0": )" +
                                     traffic("q0") + R"(, "t1": )" + traffic("q1") + "}}");
    INFO(tags << " tags, " << operation << ": " << run.why);
    CHECK(run.outcome == RunOutcome::finished);
}

// A message of a window of 64 uses its context at its doorbell, at its turn and at its acknowledgement, 2 us later.
// With eight contexts, two fetches of 490 ns at once replace all of them in that time; one at a time does not.
TEST_CASE("contexts: more fetches at once are slower only if they make more contexts miss") {
    const auto rate = [](const char* entries, const char* fetches) {
        return run_traffic(R"("size": "4 KiB", "operation": "write", "queue_pairs": 64, "choose": "round_robin",
                              "window": 64, "count": 3000)",
                           {std::string("hosts.A.nic.qp_context_entries=") + entries,
                            std::string("hosts.A.nic.qp_context_fetches=") + fetches});
    };
    const ChildResult one = rate("8", "1");
    const ChildResult two = rate("8", "2");
    CHECK(two.metric("traffic.t.goodput") < one.metric("traffic.t.goodput"));
    CHECK(two.metric("A.nic.context.misses") > 3 * one.metric("A.nic.context.misses") / 2);
    CHECK(100 * rate("32", "2").metric("traffic.t.goodput") >= 99 * rate("32", "1").metric("traffic.t.goodput"));
}

}  // namespace ndsim::test::few_contexts_test
