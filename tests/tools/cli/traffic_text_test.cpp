// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/traffic_text.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::cli::traffic_text_test {

// Two generators that are alike, one with larger messages, and a DMA load. Of 1000 a tenth is not measured, and 900
// are.
Loaded four(const std::string& measure = "{}") {
    return {load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "measure": )" + measure + R"(, "traffic": {
        "t": {"from": "A.q0", "to": "B.q0", "count": 1000}, "u": {"from": "A.q1", "to": "B.q1", "count": 1000},
        "v": {"from": "A.q2", "to": "B.q2", "count": 1000, "size": "8 KiB"}},
        "dma": {"d": {"host": "A", "count": 1000}}})"),
            {},
            {}};
}

// The result of a run that reached its limit.
RunResult cut(std::uint64_t t, std::uint64_t u, std::uint64_t v, std::uint64_t d) {
    RunResult result;
    result.outcome = RunOutcome::time_limit;
    for (const auto& [name, measured] : {std::pair{"traffic.t", t}, {"traffic.u", u}, {"traffic.v", v}, {"dma.d", d}}) {
        result.metrics.add(std::string(name) + ".measured", measured, std::nullopt, "");
        result.metrics.add(std::string(name) + ".interval", 10'000, Quantity::fraction, "");
    }
    return result;
}

// The last column of each row.
std::vector<std::string> trusted(const std::string& text) {
    std::vector<std::string> column;
    std::size_t place = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; place = end + 1, end = text.find('\n', place)) {
        const std::string line = text.substr(place, end - place);
        for (const std::string_view mark : {"+- 1.00 %", "1 of them not all measured", "not all measured"}) {
            if (line.ends_with(mark)) {
                column.emplace_back(mark);
                break;
            }
        }
    }
    return column;
}

TEST_CASE("traffic: in a run that is cut off, generators whose windows are complete have their intervals") {
    const Paint plain(std::fopen("/dev/null", "r"));
    using Column = std::vector<std::string>;
    CHECK(trusted(traffic_text(four(), cut(900, 900, 899, 0), plain)) == Column{"+- 1.00 %", "not all measured"});
    CHECK(trusted(traffic_text(four(), cut(900, 899, 900, 0), plain)) ==
          Column{"1 of them not all measured", "+- 1.00 %"});
    CHECK(trusted(traffic_text(four(), cut(0, 0, 0, 0), plain)) == Column{"not all measured", "not all measured"});
    CHECK(trusted(dma_text(four(), cut(0, 0, 0, 900), plain)) == Column{"+- 1.00 %"});
    CHECK(trusted(dma_text(four(), cut(0, 0, 0, 899), plain)) == Column{"not all measured"});
    CHECK(trusted(dma_text(four(R"({"window": 500})"), cut(0, 0, 0, 500), plain)) == Column{"+- 1.00 %"});
}

}  // namespace ndsim::cli::traffic_text_test
