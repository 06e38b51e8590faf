// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::view_test {

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

TEST_CASE("view: where the point ends with the run, the waveform goes on behind the window") {
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
    // A.second is asked to wait for 0.64 ms. The view has all of it, and would have an eighth of its time before it,
    // which is more than the run had until then. So it has a sixteenth of the eighth before the programs began, 5 us.
    const std::string mark = "[timestart] ";
    const std::uint64_t start = std::stoull(view.substr(view.find(mark) + mark.size()));
    CHECK(start + 5'000'000 <= run.metric("run.started"));
    CHECK(start + 5'200'000 > run.metric("run.started"));
    // B polls its receive as A's Send is acknowledged, a pixel later at most: their names stand together.
    CHECK(view.find("[markername] AB.late, A.second\n[markername] B \n") != std::string::npos);
    CHECK(view.find("@800200\n-A.second is A.2\n") < view.find("@800200\n-A\n"));  // A's second request, the slower one
    CHECK(view.find("+{nic rx packet} A.nic.rx.packet") < view.find("-network\n"));
    CHECK(view.find("-network\n") < view.find("+{nic rx packet} B.nic.rx.packet"));
    CHECK(view.find("+{nic tx paused} A.nic.tx.paused") > view.find("-A, unchanged\n"));
}

TEST_CASE("view: without expected requests it shows the slowest one") {
    // Timer code 0: a Send that finds no receive waits for 655.36 ms at least. The view is 5/4 of it, the trace twice
    // that.
    const Shown file = shown("scenarios/library/rnr-cliff.json");
    CHECK(file.last - file.start >= 2 * 5 * 655'360'000'000 / 4);
}

TEST_CASE("view: without expected requests it shows those that programs name, and completions before them") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/interrupt-moderation.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    CHECK(view.find("[markername] AA.lonely\n[sst_width]") != std::string::npos);  // the ten with B.r are too many
    // A sleeps for 50 us between the burst, whose receives are named, and the lonely Send.
    const std::string mark = "[timestart] ";
    const std::uint64_t start = std::stoull(view.substr(view.find(mark) + mark.size()));
    CHECK(start + 50'000'000 < run.metric("run.ended"));
}

TEST_CASE("view: a request has its way in front, and hosts off this way are closed") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/incast.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    // The slowest request is that of one of the senders to R.
    const std::string begin = "@800200\n-S";
    const std::size_t title = view.find(begin) + begin.size() - 1;
    REQUIRE(title > begin.size());
    const std::string sender = view.substr(title, view.find('.', title) - title);
    const std::string other = sender == "S1" ? "S2" : "S1";
    const std::size_t end = view.find("@1000200\n");
    for (const std::string& row : {sender + ".nic.wqe.request", sender + "_to_s0.packet", std::string("s0_to_R.packet"),
                                   std::string("R.nic.responder.request"), sender + ".nic.cq.request"}) {
        INFO(row);
        CHECK(view.find(row) < end);
        CHECK(view.find(row, end) == std::string::npos);
    }
    CHECK(view.find("@800200\n-" + sender + "\n") != std::string::npos);
    CHECK(view.find("@800200\n-R\n") != std::string::npos);
    CHECK(view.find(other + "_to_s0.packet") > view.find("@c00200\n-network, aside\n"));
    CHECK(view.find("@c00200\n-" + other + ", aside\n") != std::string::npos);
}

TEST_CASE("view: a request that failed comes before a slower one that succeeded") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/send-and-invalidate.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    // A posts "write", "send" and "late"; the last is refused by B's NIC.
    CHECK(file_text(options.folder + "/waves.gtkw").find("@800200\n-A.late is A.3\n") != std::string::npos);
}

TEST_CASE("view: actions that are no requests have the way of the slowest request among them") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/sockets.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    // The Read of the large block, by B.
    CHECK(view.find("@800200\n-B.") < view.find("@800200\n-A\n"));
    CHECK(view.find("+{B nic wqe request} B.nic.wqe.request") < view.find("+{A nic responder request}"));
    CHECK(view.find("+{A nic responder request}") < view.find("@800200\n-A\n"));
}

TEST_CASE("view: an outage is the point of a scenario without named requests") {
    // Software stands still from 150 us to 170 us; an eighth of that before it.
    CHECK(shown("scenarios/library/cq-sizing.json").start == 147'500'000);
}

TEST_CASE("view: queues stand where a Send enters them, unless a host has more than eight of a kind") {
    RunOptions options;
    options.folder = temporary_folder();
    const ChildResult run = run_file("scenarios/library/receive-overflow-rnr.json", {"outputs.waves=true"}, options);
    INFO(run.why);
    REQUIRE(run.ended);
    const std::string view = file_text(options.folder + "/waves.gtkw");
    const auto place = [&view](const std::string& signal) { return view.find("} " + signal + "["); };
    CHECK(place("A.qps.q0.sq") < place("A.nic.tx.tx_fifo"));
    CHECK(place("B.nic.rx.packet") < place("B.cqs.q0_receive.entries"));
    CHECK(place("B.cqs.q0_receive.entries") != std::string::npos);

    options.folder = temporary_folder();
    const ChildResult many = run_file("scenarios/library/incast.json", {"outputs.waves=true"}, options);
    REQUIRE(many.ended);
    const std::string incast = file_text(options.folder + "/waves.gtkw");
    CHECK(incast.find("} S1.qps.q0.sq[") != std::string::npos);
    CHECK(incast.find("} R.qps.") == std::string::npos);  // sixteen queue pairs
}

}  // namespace ndsim::test::view_test
