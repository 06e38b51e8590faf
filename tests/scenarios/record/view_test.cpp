// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/child.hpp"

using namespace ndsim;
using namespace ndsim::test;

namespace view_test {

struct Shown {
    std::uint64_t ended = 0;  // the run
    std::uint64_t start = 0;  // of the view
    std::uint64_t last = 0;   // of the waveform
};

Shown shown(const std::string& file) {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file(file, {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    const std::string vcd = file_text(options.folder + "/waves.vcd");
    const std::string mark = "[timestart] ";
    return {run.metric("run.ended"), std::stoull(view.substr(view.find(mark) + mark.size())),
            std::stoull(vcd.substr(vcd.rfind("\n#") + 2))};
}

TEST_CASE("view: where the first Send ends with the run, the waveform goes on behind the window") {
    // The window is 5/4 of the time of the Write and the Send, which end with the run; the trace goes on for as long.
    const Shown file = shown("scenarios/library/write-then-send.json");
    CHECK(file.start < file.ended);
    CHECK(file.last > file.ended);
    const std::uint64_t to_end = file.ended - file.start;  // 9/8 of that time, and what the run took after it
    CHECK(file.last - file.start >= to_end * 2);
}

TEST_CASE("view: a waveform that shows more than its window ends with the run") {
    const Shown file = shown("scenarios/library/ping-pong.json");
    CHECK(file.last == file.ended);
}

TEST_CASE("view: it begins and ends around the requests that the scenario expects, and marks their ends") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/receive-overflow-rnr.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    // A.second is asked to wait for 0.64 ms. The view has all of it, and an eighth of that time before it, or time 0.
    CHECK(view.find("[timestart] 0\n") != std::string::npos);
    CHECK(view.find("A.second\n") != std::string::npos);
    CHECK(view.find("B.late\n") != std::string::npos);
    CHECK(view.find("+{nic rx packet} A.nic.rx.packet") < view.find("-network\n"));
    CHECK(view.find("-network\n") < view.find("+{nic rx packet} B.nic.rx.packet"));
    CHECK(view.find("+{nic tx paused} A.nic.tx.paused") > view.find("-A, unchanged\n"));
}

}  // namespace view_test
