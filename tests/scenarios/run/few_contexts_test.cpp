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

}  // namespace ndsim::test::few_contexts_test
