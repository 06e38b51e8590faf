// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/post_times.hpp"

#include <fstream>
#include <sstream>

#include "scenarios/format/text_file.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::post_times_test {

using namespace ndsim::format;
using namespace std::chrono_literals;

Parsed<std::vector<Picoseconds>> read(const std::string& text) {
    std::istringstream from(text);
    return read_post_times(from);
}

TEST_CASE("post times: one in each line, comments and empty lines aside") {
    const auto times = read("# a trace\n0 ns\n\n 1.5 us\r\n1.5 us\n2 ms");
    REQUIRE(times.value);
    CHECK(*times.value == std::vector<Picoseconds>{0ns, 1500ns, 1500ns, 2ms});
    CHECK(read("").value->empty());
}

TEST_CASE("post times: what is wrong is said with its line") {
    CHECK(read("0 ns\n5\n").error == "2: expected a number and a unit, such as \"1 us\", got \"5\"");
    CHECK(read("5 us\n# back\n4 us\n").error == "3: 4 us is before the line above");
}

TEST_CASE("post times: a trace is looked for beside the scenario") {
    CHECK(trace_path("a/b/c.json", "t.csv") == "a/b/t.csv");
    CHECK(trace_path("c.json", "t.csv") == "t.csv");
    CHECK(trace_path("a/c.json", "/tmp/t.csv") == "/tmp/t.csv");
}

// The refusal of a scenario whose generator posts at the times of this file.
std::string refusal_of(const std::string& trace) {
    return test::refusal(test::two_hosts("", "", R"("traffic": {"t": {"from": "A", "to": "B", "arrivals": "trace",
"trace": ")" + trace + "\"}}"));
}

TEST_CASE("post times: what is no regular file is refused, and one that is too large") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ndsim-post-times";
    std::filesystem::create_directories(folder);
    const std::string at = "f:4:10: traffic.t.trace: ";
    CHECK(refusal_of("/dev/zero") == at + "/dev/zero: is not a regular file");
    CHECK(refusal_of(folder.string()) == at + folder.string() + ": is not a regular file");
    const std::string large = (folder / "large.csv").string();
    std::ofstream(large) << "0 ns\n";
    CHECK(refusal_of(large).find("large.csv: ") == std::string::npos);
    std::filesystem::resize_file(large, kLargestFile.count + 1);  // a hole, which takes no disk
    CHECK(refusal_of(large) == at + large + ": is larger than 256 MiB, the most that is read");
    CHECK(refusal_of((folder / "none.csv").string()).find("none.csv: cannot be opened: ") != std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST_CASE("post times: a trace is used to its end, unless the scenario says how many messages are sent") {
    const std::string path = (std::filesystem::temp_directory_path() / "ndsim-three-times.csv").string();
    std::ofstream(path) << "0 ns\n1 us\n2 us\n";
    const auto count = [&](const std::string& more) {
        const std::string text = test::two_hosts("", "",
                                                 R"("traffic": {"t": {"from": "A", "to": "B",
            "arrivals": "trace", "trace": ")" + path +
                                                     "\"" + more + "}}");
        return load_scenario("f", text, {}).traffic.at(0).count;
    };
    CHECK(count("") == 3);
    CHECK(count(R"(, "count": 2)") == 2);
    std::filesystem::remove(path);
}

TEST_CASE("files: one without an end is refused") {
    CHECK_THROWS_WITH(read_file("/dev/zero"), "/dev/zero: is larger than 256 MiB, the most that is read");
}

}  // namespace ndsim::test::post_times_test
