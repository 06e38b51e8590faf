// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_stream.hpp"

#include "sim/base/invariant_error.hpp"
#include "tests/scenarios/record/capture_support.hpp"
#include "tests/scenarios/record/trace_support.hpp"
#include "tests/support/bench.hpp"

namespace ndsim::test::trace_stream_test {

// A stream with one track, and a time that is set by hand.
struct Desk {
    explicit Desk(TraceOptions options = {}) : stream(at(file, std::move(options)), [this] { return now; }) {}

    static TraceOptions at(const CaptureFile& file, TraceOptions options) {
        options.path = file.path();
        return options;
    }
    void slice(Picoseconds from, Picoseconds to, const std::string& name) {
        stream.slice(track, {from, to}, stream.new_owner(), R"("name":")" + name + "\"");
    }
    [[nodiscard]] std::vector<ReadEvent> close() {
        CHECK_FALSE(stream.close(1000_ps).has_value());
        return read_trace(file.bytes());
    }

    CaptureFile file{"stream.json"};
    Picoseconds now{};
    TraceStream stream;
    std::uint32_t track = stream.add_track(stream.add_process("A", 0), "A.nic", 0);
};

std::string names(const std::vector<ReadEvent>& events) {
    std::string all;
    for (const ReadEvent& event : events) {
        all += event.name;
    }
    return all;
}

TEST_CASE("trace stream: events stand in the order of their times, whenever they are told and written") {
    std::string bytes;
    for (const std::size_t batch : {1U, 2U, 1000U}) {
        TraceOptions options;
        options.batch = batch;
        Desk desk(options);
        Picoseconds earliest = 5_ps;
        desk.stream.wait_for([&earliest] { return earliest; });
        desk.now = 20_ps;
        desk.slice(30_ps, 40_ps, "d");
        desk.slice(20_ps, 25_ps, "c");
        desk.slice(5_ps, 6_ps, "a");  // long ago, but it was said that such may come
        desk.slice(7_ps, 8_ps, "b");
        earliest = Picoseconds::max();
        desk.now = 50_ps;
        desk.slice(50_ps, 51_ps, "f");
        desk.slice(60_ps, 61_ps, "g");
        CHECK(names(desk.close()) == "abcdfg");
        CHECK((bytes.empty() || bytes == desk.file.bytes()));
        bytes = desk.file.bytes();
    }
}

TEST_CASE("trace stream: an event that is earlier than what is written is a mistake of ours") {
    TraceOptions options;
    options.batch = 1;
    Desk desk(options);
    desk.now = 20_ps;
    desk.slice(30_ps, 40_ps, "a");
    CHECK_THROWS_WITH(desk.slice(19_ps, 40_ps, "b"),
                      Catch::Matchers::ContainsSubstring("an event comes late: 20 ps are written"));
    desk.slice(20_ps, 40_ps, "c");
}

TEST_CASE("trace stream: slices are cut at the window, and those outside are not there") {
    TraceOptions options;
    options.start = 100_ps;
    options.stop = 200_ps;
    Desk desk(options);
    desk.slice(10_ps, 99_ps, "before");
    desk.slice(10_ps, 100_ps, "up to it");
    desk.slice(10_ps, 110_ps, "into it");
    desk.slice(150_ps, 300_ps, "out of it");
    desk.slice(200_ps, 200_ps, "at its end");
    desk.slice(201_ps, 300_ps, "behind");
    desk.stream.counter(desk.track, 0, 99_ps, R"("name":"-")");
    desk.stream.counter(desk.track, 0, 100_ps, R"("name":"first")");
    desk.stream.counter(desk.track, 0, 200_ps, R"("name":"last")");
    desk.stream.counter(desk.track, 0, 201_ps, R"("name":"-")");
    const auto events = desk.close();
    REQUIRE(events.size() == 5);
    CHECK(events[0].name == "into it");
    CHECK(events[0].start == 100_ps);
    CHECK(events[0].end == 110_ps);
    CHECK(events[1].name == "first");
    CHECK(events[2].name == "out of it");
    CHECK(events[2].start == 150_ps);
    CHECK(events[2].end == 200_ps);
    CHECK(events[3].name == "at its end");
    CHECK(events[4].name == "last");
}

TEST_CASE("trace stream: where the run is cut off, slices end, and what is later is dropped") {
    Desk desk;
    desk.now = 40_ps;
    desk.stream.begin(desk.track, 10_ps, 1, R"("name":"open")");
    desk.stream.begin(desk.track, 60_ps, 2, R"("name":"late")");
    desk.slice(20_ps, 90_ps, "a");  // told when it began
    desk.slice(30_ps, 50_ps, "b");
    desk.slice(51_ps, 55_ps, "c");
    desk.stream.end(desk.track, 70_ps, 1, R"("args":{"status":"success"})");
    desk.stream.end(desk.track, 80_ps, 2, {});
    const std::vector<TracePoint> late{{desk.track, 20_ps, 7}, {desk.track, 51_ps, 8}};
    desk.stream.arrow(late, R"("name":"arrow")");
    desk.stream.cut_off(50_ps);
    desk.slice(45_ps, 60_ps, "d");
    desk.slice(52_ps, 60_ps, "e");
    const auto events = desk.close();
    CHECK(names(events) == "openabd");
    REQUIRE(events.size() == 5);
    for (const ReadEvent& event : events) {
        CHECK(event.end <= 50_ps);
    }
    CHECK(events[1].end - events[1].start == 30_ps);
    CHECK(events.back().phase == "E");
    CHECK(events.back().start == 50_ps);
    CHECK(events.back().args.at("status") == "success");
}

// A waveform has pools show departures that they would have shown later.
TEST_CASE("trace stream: counters that change at one time are in the order of their numbers, whichever tells first") {
    Desk desk;
    desk.stream.counter(desk.track, 2, 10_ps, R"("name":"c")");
    desk.stream.counter(desk.track, 1, 10_ps, R"("name":"a")");
    desk.stream.counter(desk.track, 1, 10_ps, R"("name":"b")");  // one counter's changes keep their order
    desk.stream.counter(desk.track, 3, 9_ps, R"("name":"-")");
    CHECK(names(desk.close()) == "-abc");
}

TEST_CASE("trace stream: an arrow is there whole or not at all") {
    TraceOptions options;
    options.start = 100_ps;
    options.stop = 200_ps;
    Desk desk(options);
    const auto arrow = [&desk](std::vector<Picoseconds> times, int id) {
        std::vector<TracePoint> points;
        for (const Picoseconds at : times) {
            points.push_back({desk.track, at, 0});
        }
        desk.stream.arrow(points, "\"id\":" + std::to_string(id));
    };
    arrow({99_ps, 150_ps}, 1);
    arrow({150_ps, 201_ps}, 2);
    arrow({150_ps}, 3);  // leads nowhere
    arrow({100_ps, 120_ps, 120_ps, 200_ps}, 4);
    arrow({110_ps, 130_ps}, 5);
    std::string seen;
    for (const ReadEvent& event : desk.close()) {
        seen += event.phase + std::to_string(event.id) + " ";
    }
    CHECK(seen == "s4 s5 t4 t4 f5 f4 ");
}

TEST_CASE("trace stream: what comes when the file has its size is not recorded, and the time is known") {
    TraceOptions options;
    options.max_size = Bytes{1000};
    options.batch = 1;
    Desk desk(options);
    std::int64_t at = 0;
    while (desk.stream.is_open()) {
        ++at;
        desk.now = Picoseconds{at + 1};
        desk.slice(Picoseconds{at}, Picoseconds{at + 1}, "x");
    }
    CHECK(desk.stream.cut_at() == Picoseconds{at});
    CHECK(desk.file.bytes().size() <= 1000);
    desk.slice(1_ps, 2_ps, "late");  // nobody minds any more
    CHECK(desk.close().size() == static_cast<std::size_t>(at - 1));
}

TEST_CASE("trace stream: if more waits than the file takes, nothing later is recorded") {
    TraceOptions options;
    options.max_size = Bytes{1000};
    options.batch = 10;
    Desk desk(options);
    desk.stream.wait_for([] { return Picoseconds{}; });  // somebody never knows
    std::int64_t at = 0;
    while (desk.stream.takes(Picoseconds{at + 1})) {
        ++at;
        desk.now = Picoseconds{at};
        desk.slice(desk.now, desk.now + 1_ps, "x");
    }
    // Each has 10 bytes of text, "name":"x"; 101 are too many, which is seen with the 110th.
    CHECK(at == 110);
    CHECK(desk.stream.is_open());
    desk.slice(100_ps, 101_ps, "earlier");  // may still come
    CHECK(desk.close().size() < 20);
    CHECK(desk.file.bytes().size() <= 1000);
    CHECK(desk.stream.cut_at().has_value());
}

TEST_CASE("trace stream: what cannot be written is told at the end") {
    TraceOptions options;
    options.path = "/nowhere/timeline.json";
    TraceStream stream(options, [] { return Picoseconds{}; });
    CHECK_FALSE(stream.is_open());
    stream.slice(stream.add_track(stream.add_process("A", 0), "A", 0), {1_ps, 2_ps}, 1, "");
    CHECK(stream.close(1_ps) == "/nowhere/timeline.json: No such file or directory");
}

}  // namespace ndsim::test::trace_stream_test
