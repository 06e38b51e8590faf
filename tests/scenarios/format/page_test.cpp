// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <sstream>

#include "scenarios/format/reference.hpp"
#include "scenarios/format/text_file.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::page_test {

// docs/scenario-reference.md: the text around the generated tables, and these.
struct Page {
    std::string before;
    std::string generated;
    std::string after;
};

std::string page_path() {
    return (repository() / "docs/scenario-reference.md").string();
}

Page read_page() {
    const std::string begin = "<!-- generated: begin -->\n";
    const std::string text = read_file(page_path());
    const std::size_t from = text.find(begin) + begin.size();
    const std::size_t end = text.find("<!-- generated: end -->\n");
    REQUIRE(from != std::string::npos);
    REQUIRE(end != std::string::npos);
    return {text.substr(0, from), text.substr(from, end - from), text.substr(end)};
}

// The blocks between ```json and ```.
std::vector<std::string> examples(const std::string& text) {
    const std::string fence = "```json\n";
    std::vector<std::string> blocks;
    for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos;) {
        at += fence.size();
        blocks.push_back(text.substr(at, text.find("```", at) - at));
    }
    return blocks;
}

// What stands in the first column of tables as `{...}`, unless some of it is left out.
std::vector<std::string> objects_in_tables(const std::string& text) {
    std::vector<std::string> objects;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = line.find('`', 3);
        if (line.starts_with("| `{") && line.substr(3, end - 3).find("...") == std::string::npos) {
            objects.push_back(line.substr(3, end - 3));
        }
    }
    return objects;
}

TEST_CASE("reference: the page is up to date") {
    INFO("to bring it up to date: test_scenarios_format '[update-page]'");
    const bool is_up_to_date = read_page().generated == "\n" + reference() + "\n";
    CHECK(is_up_to_date);
}

TEST_CASE("reference: bring the page up to date", "[.][update-page]") {
    const Page page = read_page();
    std::ofstream(page_path(), std::ios::binary) << page.before << "\n" << reference() << "\n" << page.after;
}

TEST_CASE("reference: its examples are valid") {
    const auto blocks = examples(read_page().before);
    CHECK(blocks.size() >= 4);
    for (const std::string& block : blocks) {
        CAPTURE(block);
        if (block.starts_with("{")) {
            CHECK_THAT(refusal(block), Catch::Matchers::Equals(""));
        } else if (block.starts_with("\"hosts\"")) {
            CHECK_THAT(refusal("{" + block + "}"), Catch::Matchers::Equals(""));
        } else {
            CHECK_THAT(refusal(R"({"hosts": {"A": {}, "B": {}},)" + block + "}"), Catch::Matchers::Equals(""));
        }
    }
}

TEST_CASE("reference: its operations and expectations are valid") {
    const auto objects = objects_in_tables(read_page().before);
    CHECK(objects.size() >= 14);
    for (const std::string& object : objects) {
        CAPTURE(object);
        const bool is_fault = std::any_of(kFaultKindNames.begin(), kFaultKindNames.end(), [&](std::string_view kind) {
            return object.starts_with("{\"" + std::string(kind) + "\"");
        });
        const bool is_expectation = object.starts_with("{\"metric\"") || object.starts_with("{\"completion\"") ||
                                    object.starts_with("{\"order\"") || object.starts_with("{\"memory\"");
        const std::string ops = is_expectation || is_fault
                                    ? R"({"post": "send", "as": "s1"}, {"post": "send", "as": "s2"})"
                                    : R"({"arm": "q0.receive"}, )" + object;
        CHECK_THAT(refusal(R"({"hosts": {"A": {"buffers": {"tx": {}, "rx": {}}, "srqs": {"s0": {"threshold": 1}},
                                          "memory": {"w0": {}, "f0": {"kind": "fast_register"}}},
                                    "B": {"buffers": {"tx": {}, "rx": {}}, "memory": {"w0": {}}}},
                          "traffic": {"stream": {"from": "A.q1", "to": "B.q1"}},
                          "programs": {"B": [{"connect": "q0"}, {"post": "receive", "count": 8, "as": "r"}], "A": [)" +
                           ops + "]}, \"expect\": [" + (is_expectation ? object : "") + "], \"faults\": [" +
                           (is_fault ? object : "") + "]}"),
                   Catch::Matchers::Equals(""));
    }
}

}  // namespace ndsim::test::page_test
