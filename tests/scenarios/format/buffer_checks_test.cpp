// SPDX-License-Identifier: Apache-2.0

#include "scenarios/format/checks.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::buffer_checks_test {

std::string said_of(const Scenario& scenario, Bytes memory) {
    Problems problems("f");
    const JsonNode root;
    format::Checker check(root, problems);
    format::check_buffers(scenario, memory, check);
    return problems.text();
}

// Two of 3 MiB with a fill on one host, one on another, and one of 4 GiB without: 9 MiB are filled.
TEST_CASE("buffers: those with a fill fit into the machine's memory, all hosts together") {
    const Scenario scenario =
        load(two_hosts(R"("buffers": {"a": {"size": "3 MiB", "fill": "counter"}, "big": {"size": "4 GiB"},
                                      "b": {"size": "3 MiB", "fill": "random"}})",
                       R"("buffers": {"c": {"size": "3 MiB", "fill": "random"}})", ""));
    CHECK(said_of(scenario, 9_MiB).empty());
    CHECK(said_of(scenario, 8_MiB) ==
          "f: hosts.B.buffers.c.size: the buffers with a \"fill\" have 9 MiB, and this machine has 8 MiB of memory (a "
          "buffer without \"fill\" takes memory only where it is used)");
    CHECK(said_of(scenario, 4_MiB).starts_with("f: hosts.A.buffers.b.size: "));
}

// 16 TiB in all.
TEST_CASE("buffers: a file whose buffers no machine can fill is refused where it says so") {
    std::string buffers;
    for (int i = 0; i < 4096; ++i) {
        buffers += (i == 0 ? "" : ", ") + ("\"b" + std::to_string(i)) + R"(": {"size": "4 GiB", "fill": "random"})";
    }
    const std::string said = refusal(two_hosts("\"buffers\": {" + buffers + "}", "", ""));
    CHECK(said.starts_with("f:2:"));
    CHECK(said.find(".size: the buffers with a \"fill\" have 16 TiB, and this machine has ") != std::string::npos);
}

}  // namespace ndsim::test::buffer_checks_test
