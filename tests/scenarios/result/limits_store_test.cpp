// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::limits_store_test {

// Preset D builds in 40 ns, pushes 64 bytes in 65, rings in 80, polls in 50 and tells the index once for 16. An inline
// Write of 64 B has two units. With 16 queue pairs in turn each is alone on its own and pushed, with one none is.
TEST_CASE("limits: a core that pushes its requests is bound by what a push costs") {
    const std::string hosts =
        R"({"hosts": {"A": {"preset": "D"}, "B": {"preset": "D"}}, "traffic": {"t": {"from": "A.q",
        "to": "B.q", "operation": "write", "size": "64 B", "inline": true, "window": 16, "count": 4000,
        "queue_pairs": 16, "choose": "round_robin"}}})";
    // For each message: each is built once.
    const auto nanoseconds_each = [](const ChildResult& run, const std::string& part) {
        return 40 * static_cast<double>(run.metric("A.cpu_t." + part)) /
               static_cast<double>(run.metric("A.cpu_t.build"));
    };
    const ChildResult pushed = finish_text(hosts);
    CHECK(pushed.limits.at(0).what == "A.cpu_t");
    CHECK(pushed.limits.at(0).parameter == "hosts.A.cpu.mmio_wc64");
    CHECK(nanoseconds_each(pushed, "push") == Catch::Approx(2 * 65).epsilon(0.01));
    CHECK(nanoseconds_each(pushed, "store") == Catch::Approx(2 * 65 + 80. / 16).epsilon(0.01));
    const ChildResult rung = finish_text(hosts, {"traffic.t.queue_pairs=1"});
    CHECK(rung.limits.at(0).what == "A.cpu_t");
    CHECK(rung.limits.at(0).parameter == "hosts.A.cpu.mmio_uc");
    CHECK(nanoseconds_each(rung, "push") < 1);
    CHECK(nanoseconds_each(rung, "store") == Catch::Approx(80 + 80. / 16).epsilon(0.01));
}

}  // namespace ndsim::test::limits_store_test
