// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <regex>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What happens at the same picosecond happens in the file's order.

namespace ndsim::test::ties_test {

// Two generators of A, alike but for their names, that begin at the same picosecond, each on a core of its own.
ChildResult run_two(const std::string& first, const std::string& second, const std::string& traffic) {
    const auto generator = [&](const std::string& n) {
        return fmt::format(R"("t{}": {{"from": "A.q{}", "to": "B.q{}", {}}})", n, n, n, traffic);
    };
    return finish_text(R"({"hosts": {"A": {"qps": {"q0": {}, "q1": {}}}, "B": {"qps": {"q0": {}, "q1": {}}}},
                           "traffic": {)" +
                       generator(first) + ", " + generator(second) + "}}");
}

// The metrics of the two with their names exchanged: "t0" and "q1" are words, between dots or underscores.
std::map<std::string, std::uint64_t> exchanged(const std::map<std::string, std::uint64_t>& metrics) {
    std::map<std::string, std::uint64_t> result;
    for (const auto& [name, value] : metrics) {
        static const std::regex word("([._][tq])([01])(?=[._])");
        std::string other;
        auto from = name.begin();
        for (std::sregex_iterator at(name.begin(), name.end(), word); at != std::sregex_iterator(); ++at) {
            other.append(from, (*at)[2].first);
            other += *(*at)[2].first == '0' ? '1' : '0';
            from = (*at)[2].second;
        }
        result[other.append(from, name.end())] = value;
    }
    return result;
}

TEST_CASE("ties: generators that post at the same picosecond are served as the file lists them, nothing else changes") {
    for (const std::string operation : {"send", "write", "read"}) {
        for (const std::string size : {"64 B", "64 KiB"}) {
            INFO(operation << " of " << size);
            // One message, which both post at once, or a hundred of them. With credits it would wait for the doorbell
            // of its receive, and those come one after the other.
            const std::string one = fmt::format(R"("operation": "{}", "size": "{}", "count": 1{})", operation, size,
                                                operation == "send" ? R"(, "credits": false)" : "");
            const ChildResult listed = run_two("0", "1", one);
            CHECK(listed.metric("traffic.t0.latency.max") < listed.metric("traffic.t1.latency.max"));
            const ChildResult reversed = run_two("1", "0", one);
            CHECK(reversed.metric("traffic.t1.latency.max") < reversed.metric("traffic.t0.latency.max"));
            CHECK((exchanged(reversed.metrics) == listed.metrics));
            const std::string many = fmt::format(R"("operation": "{}", "size": "{}", "count": 100)", operation, size);
            CHECK((exchanged(run_two("1", "0", many).metrics) == run_two("0", "1", many).metrics));
        }
    }
}

}  // namespace ndsim::test::ties_test
