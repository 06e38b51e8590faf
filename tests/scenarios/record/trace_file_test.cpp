// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_file.hpp"

#include <sys/resource.h>
#include <zlib.h>

#include <array>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::trace_file_test {

TraceEvent event(TraceKind kind, std::uint32_t track, Picoseconds at, std::uint64_t owner, const std::string& text,
                 Picoseconds duration = {}) {
    return {kind, track, at, duration, owner, text, 0};
}

// A slice of 100 ps that says `"name":"x"`, the n-th.
TraceEvent slice(std::int64_t n) {
    return event(TraceKind::slice, 0, Picoseconds{n * 100}, 0, R"("name":"x")", 100_ps);
}

nlohmann::json events_of(const CaptureFile& file) {
    return nlohmann::json::parse(file.bytes()).at("traceEvents");
}

std::string unpacked(const CaptureFile& file) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.path().c_str(), "rb"), gzclose);
    REQUIRE(in);
    REQUIRE(gzdirect(in.get()) == 0);
    std::string text;
    std::array<char, 4096> piece{};
    int got = 0;
    while ((got = gzread(in.get(), piece.data(), piece.size())) > 0) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    CHECK(got == 0);  // the end, with a length and a checksum that agree
    return text;
}

TEST_CASE("trace: times are microseconds to the picosecond") {
    CHECK(trace_time(0_ps) == "0.000000");
    CHECK(trace_time(1_ps) == "0.000001");
    CHECK(trace_time(1'000'000_ps) == "1.000000");
    // A day, which has more digits than a double.
    CHECK(trace_time(86'399'999'999'999'999_ps) == "86399999999.999999");
}

TEST_CASE("trace: names are JSON, whatever is in them") {
    CHECK(trace_text("A.nic") == "\"A.nic\"");
    CHECK(trace_text("a\"b\\") == R"("a\"b\\")");
    CHECK(nlohmann::json::parse(trace_text("a\xFFz\n")).is_string());
}

TEST_CASE("trace: every byte of a file with two groups, two tracks and each kind of event") {
    const CaptureFile file("bytes.json");
    TraceFile trace(file.path(), 1_MiB);
    const std::uint32_t a = trace.add_process("A", 0);
    const std::uint32_t link = trace.add_process("l0", 5);
    const std::uint32_t requests = trace.add_track(a, "A.q0", 1);
    const std::uint32_t lane = trace.add_track(link, "l0_A_to_B", 2);
    (void)trace.add_track(link, "unused", 3);
    CHECK(trace.add(event(TraceKind::begin, requests, 1_ps, 9, R"("name":"send")")));
    CHECK(trace.add(event(TraceKind::slice, requests, 2_ps, 9, R"("name":"post")", 3_ps)));
    CHECK(trace.add(event(TraceKind::flow_start, requests, 2_ps, 9, R"("id":7)")));
    CHECK(trace.add(event(TraceKind::counter, requests, 3_ps, 0, R"("name":"sq","args":{"value":1})")));
    CHECK(trace.add(event(TraceKind::slice, lane, 4_ps, 8, R"("name":"SEND")", 10_ps)));
    CHECK(trace.add(event(TraceKind::flow_end, lane, 4_ps, 8, R"("id":7)")));
    CHECK(trace.add(event(TraceKind::slice, lane, 5_ps, 0, R"("name":"late")", 1_ps)));  // overlaps: a second row
    CHECK(trace.add(event(TraceKind::end, requests, 6_ps, 9, R"("args":{"bytes":1})")));
    trace.close(20_ps);
    // Threads count on behind the two groups; sort indices of tracks are places times 4096, plus the row.
    CHECK(file.bytes() == R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","name":"process_name","pid":1,"args":{"name":"A"}},
{"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":0}},
{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"A.q0"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":4096}},
{"ph":"B","pid":1,"tid":3,"ts":0.000001,"name":"send"},
{"ph":"X","pid":1,"tid":3,"ts":0.000002,"dur":0.000003,"name":"post"},
{"ph":"s","pid":1,"tid":3,"ts":0.000002,"id":7},
{"ph":"C","pid":1,"ts":0.000003,"name":"sq","args":{"value":1}},
{"ph":"M","name":"process_name","pid":2,"args":{"name":"l0"}},
{"ph":"M","name":"process_sort_index","pid":2,"args":{"sort_index":5}},
{"ph":"M","name":"thread_name","pid":2,"tid":4,"args":{"name":"l0_A_to_B"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":4,"args":{"sort_index":8192}},
{"ph":"X","pid":2,"tid":4,"ts":0.000004,"dur":0.000010,"name":"SEND"},
{"ph":"f","pid":2,"tid":4,"ts":0.000004,"bp":"e","id":7},
{"ph":"M","name":"thread_name","pid":2,"tid":5,"args":{"name":"l0_A_to_B 2"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":5,"args":{"sort_index":8193}},
{"ph":"X","pid":2,"tid":5,"ts":0.000005,"dur":0.000001,"name":"late"},
{"ph":"E","pid":1,"tid":3,"ts":0.000006,"args":{"bytes":1}}
]}
)");
    CHECK(events_of(file).size() == 18);
}

TEST_CASE("trace: an empty file is one with no events") {
    const CaptureFile file("empty.json");
    TraceFile trace(file.path(), 1_MiB);
    (void)trace.add_track(trace.add_process("A", 0), "A.nic", 0);
    trace.close(1_ps);
    CHECK(events_of(file).empty());
}

TEST_CASE("trace: what has not ended does so at the end, behind what is in it") {
    const CaptureFile file("open.json");
    TraceFile trace(file.path(), 1_MiB);
    const std::uint32_t track = trace.add_track(trace.add_process("A", 0), "A.q0", 0);
    CHECK(trace.add(event(TraceKind::begin, track, 1_ps, 5, R"("name":"a")")));
    CHECK(trace.add(event(TraceKind::begin, track, 1_ps, 6, R"("name":"b")")));
    CHECK(trace.add(event(TraceKind::slice, track, 2_ps, 5, R"("name":"wire")", 100_ps)));
    trace.close(50_ps);
    const auto events = events_of(file);
    // Row 0 has what reaches to 102 ps, row 1 nothing.
    REQUIRE(events.size() == 2 + 2 * 2 + 3 + 2);
    CHECK(events[9].at("ph") == "E");
    CHECK(events[9].at("tid") == events[7].at("tid"));
    CHECK(events[9].at("ts") == 0.00005);
    CHECK(events[10].at("ph") == "E");
    CHECK(events[10].at("ts") == 0.000102);
}

TEST_CASE("trace: an event that does not fit into the size limit is not there, and the file is whole") {
    const CaptureFile file("limit.json");
    const auto slices_in = [&file](Bytes limit) {
        TraceFile trace(file.path(), limit);
        (void)trace.add_track(trace.add_process("A", 0), "A.nic", 0);
        std::size_t fitted = 0;
        while (fitted < 2 && trace.add(slice(static_cast<std::int64_t>(fitted)))) {
            ++fitted;
        }
        trace.close(1000_ps);
        CHECK(file.bytes().size() <= limit.count);
        CHECK(events_of(file).size() == 4 + fitted);
        return fitted;
    };
    REQUIRE(slices_in(1_MiB) == 2);
    const std::uint64_t whole = file.bytes().size();
    CHECK(slices_in(Bytes{whole}) == 2);
    CHECK(slices_in(Bytes{whole - 1}) == 1);
}

TEST_CASE("trace: there is room to end what has begun") {
    for (std::uint64_t limit = 500; limit < 1000; limit += 7) {
        const CaptureFile file("room.json");
        TraceFile trace(file.path(), Bytes{limit});
        const std::uint32_t track = trace.add_track(trace.add_process("A", 0), "A.q0", 0);
        bool fits = true;
        for (std::uint64_t i = 1; fits; ++i) {
            const Picoseconds at{static_cast<std::int64_t>(i)};
            fits = trace.add(event(TraceKind::begin, track, at, i, R"("name":"a")")) &&
                   (i % 2 == 0 || trace.add(event(TraceKind::end, track, at + 1_ps, i,
                                                  R"("args":{"status":"success","bytes":4096,"silent":false})")));
        }
        trace.close(100_ps);
        CHECK(file.bytes().size() <= limit);
        int open = 0;
        for (const auto& line : events_of(file)) {
            open += line.at("ph") == "B" ? 1 : line.at("ph") == "E" ? -1 : 0;
        }
        CHECK(open == 0);
    }
}

TEST_CASE("trace: what a full disk cut in two is taken back to the last whole event, and ended") {
    const CaptureFile file("full.json");
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t most = 1'000'000;
    const rlimit limit{most, most};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    TraceFile trace(file.path(), Bytes{1ULL << 30U});
    (void)trace.add_track(trace.add_process("A", 0), "A.nic", 0);
    const auto fill = [&] {
        for (std::int64_t i = 0; i < 100'000; ++i) {
            (void)trace.add(slice(i));
        }
    };
    CHECK_THROWS_AS(fill(), std::system_error);
    CHECK(file.bytes().size() > most - 100);  // a line has 67 to 73 bytes
    CHECK(events_of(file).size() > 10'000);
    trace.close(1_ps);  // has nothing left to do
}

TEST_CASE("trace: a compressed file has the text of the plain one") {
    const CaptureFile plain("plain.json");
    const CaptureFile packed("packed.json.gz");
    // 60 bytes and more for each slice: enough for several pieces of 256 KiB.
    for (const std::int64_t slices : {0, 1, 20'000}) {
        for (const CaptureFile* file : {&plain, &packed}) {
            TraceFile trace(file->path(), Bytes{1ULL << 30U}, file == &packed);
            (void)trace.add_track(trace.add_process("A", 0), "A.nic", 0);
            for (std::int64_t i = 0; i < slices; ++i) {
                CHECK(trace.add(slice(i)));
            }
            trace.close(1_ps);
        }
        CHECK(unpacked(packed) == plain.bytes());
    }
    CHECK(plain.bytes().size() > 4 * 262'144);
    CHECK(packed.bytes().size() < plain.bytes().size() / 8);
}

TEST_CASE("trace: what a full disk cut of a compressed file is left out, and the file is whole") {
    const CaptureFile file("full.json.gz");
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    TraceFile trace(file.path(), Bytes{1ULL << 30U}, true);
    (void)trace.add_track(trace.add_process("A", 0), "A.nic", 0);
    const auto fill = [&] {
        for (std::int64_t i = 0; i < 1'000'000; ++i) {
            (void)trace.add(slice(i));
        }
    };
    CHECK_THROWS_AS(fill(), std::system_error);
    CHECK(file.bytes().size() > 100'000);
    CHECK(nlohmann::json::parse(unpacked(file)).at("traceEvents").size() > 10'000);
}

TEST_CASE("trace: a file that cannot be opened, and a disk that is full, are reported") {
    CHECK_THROWS_WITH(TraceFile("/nowhere/timeline.json", 1_MiB), "No such file or directory");
    TraceFile trace("/dev/full", 1_MiB);
    CHECK_THROWS_WITH(trace.close(1_ps), "No space left on device");
}

}  // namespace ndsim::test::trace_file_test
