// SPDX-License-Identifier: Apache-2.0

#include <sys/wait.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/request_probe.hpp"
#include "tests/sim/files/waves_bench.hpp"

namespace ndsim::test::waves_test {

using namespace ndsim::waves_test;

TEST_CASE("waves: the text of a small case") {
    Bench bench;
    const TemporaryFile file("small.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch_all();
    Wqe& wqe = bench.wqe;
    wqe.state.set(Fetch::reading, 10_ps);
    wqe.depth.set(300, 10_ps);
    wqe.busy.set(true, 20_ps);
    wqe.tags.take(3, 25_ps);
    wqe.depth.set(0x8000'0001U, 30_ps);
    wqe.busy.set(false, 1us);
    waves.close(2us);

    CHECK(waves.file().largest(1) == 0x8000'0001U);
    CHECK(waves.file().largest(2) == 1);
    CHECK(file.text() == kHeader + "#0\n" + kAllZero +
                             "#10\nb10 !\nb100101100 \"\n"  // 300 = 256 + 32 + 8 + 4
                             "#20\n1#\n"
                             "#25\nb11 $\n"
                             "#30\nb10000000000000000000000000000001 \"\n"
                             "#1000000\n0#\n"
                             "#2000000\n");
    CHECK(waves.file().size().count == file.text().size());
    CHECK_FALSE(waves.is_open());
    CHECK_FALSE(waves.file().cut_at().has_value());
}

TEST_CASE("waves: changes behind the end are left out, and the file lasts longer") {
    Bench bench;
    const TemporaryFile file("cut.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch_all();
    bench.wqe.busy.set(true, 20_ps);
    bench.wqe.busy.set(false, 31_ps);
    waves.close(30_ps, 50_ps);
    CHECK(file.text() == kHeader + "#0\n" + kAllZero + "#20\n1#\n#50\n");
}

TEST_CASE("waves: a time stamp has all its digits, whatever the last one had in common with it") {
    Bench bench;
    const TemporaryFile file("stamps.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch_all();
    bool busy = false;
    for (const std::int64_t at : {9LL, 999'999LL, 1'000'000LL, 1'000'001LL, 1'999'999LL, 2'000'000LL,
                                  12'000'345'678'009LL, 9'223'372'036'854'775'806LL}) {
        busy = !busy;
        bench.wqe.busy.set(busy, Picoseconds{at});
    }
    waves.close(Picoseconds::max() - 1_ps);

    CHECK(file.text() == kHeader + "#0\n" + kAllZero +
                             "#9\n1#\n#999999\n0#\n#1000000\n1#\n#1000001\n0#\n#1999999\n1#\n#2000000\n0#\n"
                             "#12000345678009\n1#\n#9223372036854775806\n0#\n");
}

TEST_CASE("waves: units in their scopes, in the order of the design, identifiers to base 94") {
    class Many : public Unit {
    public:
        Many(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}
        std::array<Probe<bool>, 2> pair{Probe<bool>{*this, "a", "first"}, Probe<bool>{*this, "b", "second"}};
    };
    struct Outer : Many {
        Outer(const sc_core::sc_module_name& name, Timeline& timeline)
            : Many(name, timeline), inner("inner", timeline) {}
        Many inner;
    };
    RunControl control;
    Timeline timeline("timeline", control);
    const Outer outer("outer", timeline);
    const TemporaryFile file("scopes.vcd");
    Waves waves({file.path()}, [] { return Picoseconds{}; });
    for (int i = 0; i < 46;
         ++i) {  // 92 signals, so that the next two pairs are the last with one sign and the first with two
        waves.watch(outer.inner);
    }
    waves.watch(outer);
    waves.watch(outer);
    waves.close(1_ps);

    const std::string text = file.text();
    CHECK(text.find("$scope module outer $end\n"
                    "$comment a: first $end\n$var wire 1 } a $end\n"
                    "$comment b: second $end\n$var wire 1 ~ b $end\n"
                    "$comment a: first $end\n$var wire 1 !! a $end\n"
                    "$comment b: second $end\n$var wire 1 \"! b $end\n"
                    "$scope module inner $end\n"
                    "$comment a: first $end\n$var wire 1 ! a $end\n") != std::string::npos);
    CHECK(text.ends_with("0}\n0~\n0!!\n0\"!\n$end\n#1\n"));
}

TEST_CASE("waves: a request is a text, its host and its number, and none is a dash") {
    struct Worker : Unit {
        Worker(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}
        RequestProbe request{*this, "request", "request served last"};
    };
    RunControl control;
    Timeline timeline("timeline", control);
    Worker worker("worker", timeline);
    const TemporaryFile file("requests.vcd");
    WavesOptions options{file.path()};
    options.hosts = {"A", "store_7"};
    Waves waves(options, [] { return Picoseconds{}; });
    waves.watch(worker);
    worker.request.set({HostId{0}, 7}, 10_ps);
    worker.request.set({HostId{1}, 7}, 20_ps);
    worker.request.set({HostId{1}, 4'294'967'295}, 30_ps);
    worker.request.set({HostId{1}, 0}, 40_ps);  // a packet without a request, whatever its host
    waves.close(50_ps);

    const std::string text = file.text();
    CHECK(text.find("$comment request: request served last $end\n$var string 1 ! request $end\n") != std::string::npos);
    CHECK(
        text.ends_with("#0\n$dumpvars\ns- !\n$end\n"
                       "#10\nsA.7 !\n#20\nsstore_7.7 !\n#30\nsstore_7.4294967295 !\n#40\ns- !\n#50\n"));
    CHECK(waves.file().signals()[0].kind == WaveSignal::Kind::request);
}

TEST_CASE("waves: describes the signals for whoever shows them") {
    Bench bench;
    const TemporaryFile file("signals.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch_all();

    REQUIRE(waves.file().signals().size() == 4);
    CHECK(waves.file().signals()[0].unit == "A.nic.wqe");
    CHECK(waves.file().signals()[0].name == "state");
    CHECK(waves.file().signals()[0].kind == WaveSignal::Kind::state);
    CHECK(waves.file().signals()[0].states == std::vector<std::string>{"idle", "wait_tag", "reading"});
    CHECK(waves.file().signals()[1].kind == WaveSignal::Kind::number);
    CHECK(waves.file().signals()[2].kind == WaveSignal::Kind::flag);
    CHECK(waves.file().signals()[3].kind == WaveSignal::Kind::occupancy);
    CHECK(waves.file().signals()[3].bits == 3);  // up to 4
    CHECK(waves.file().signals()[3].capacity == 4);
    CHECK(waves.file().signals()[1].capacity == 0);  // no pool
}

TEST_CASE("waves: changes announced ahead are merged by time, then in the order of the signals") {
    Bench bench;
    const TemporaryFile file("merge.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    Wqe& wqe = bench.wqe;
    wqe.busy.set(true, 10_ps);  // both ends of a reservation at once
    wqe.busy.set(false, 50_ps);
    wqe.depth.set(1, 20_ps);
    wqe.depth.set(2, 50_ps);
    wqe.state.set(Fetch::wait_tag, 20_ps);
    wqe.state.set(Fetch::idle, 30_ps);
    waves.close(60_ps);

    CHECK(changes(file) == "#0\n" + kAllZero + "#10\n1#\n#20\nb1 !\nb1 \"\n#30\nb0 !\n#50\nb10 \"\n0#\n#60\n");
}

TEST_CASE("waves: of several changes in one picosecond the last is shown, and none if it is the old value") {
    Bench bench;
    const TemporaryFile file("glitch.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    Wqe& wqe = bench.wqe;
    wqe.depth.set(1, 10_ps);
    wqe.depth.set(2, 10_ps);
    wqe.depth.set(3, 10_ps);
    wqe.busy.set(true, 20_ps);
    wqe.busy.set(false, 20_ps);
    waves.close(30_ps);

    CHECK(changes(file) == "#0\n" + kAllZero + "#10\nb11 \"\n#30\n");
}

TEST_CASE("waves: changes after the end are not written") {
    Bench bench;
    const TemporaryFile file("end.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    bench.wqe.busy.set(true, 10_ps);
    bench.wqe.busy.set(false, 50_ps);
    waves.close(40_ps);
    bench.wqe.depth.set(7, 45_ps);  // nobody listens any more

    CHECK(changes(file) == "#0\n" + kAllZero + "#10\n1#\n#40\n");
}

TEST_CASE("waves: booked departures of a pool appear at their times") {
    Bench bench;
    const TemporaryFile file("pool.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    Wqe& wqe = bench.wqe;
    wqe.tags.take(3, 10_ps);
    wqe.tags.give_at(1, 40_ps);
    wqe.tags.give_at(1, 20_ps);
    wqe.depth.set(1, 25_ps);
    waves.flush(30_ps);  // nobody but the writer looked at the pool since 10 ps
    wqe.depth.set(2, 30_ps);
    wqe.tags.give_at(1, 80_ps);
    waves.close(50_ps);

    CHECK(changes(file) == "#0\n" + kAllZero + "#10\nb11 $\n#20\nb10 $\n#25\nb1 \"\n#30\nb10 \"\n#40\nb1 $\n#50\n");
}

TEST_CASE("waves: the window begins with the values of its start and ends with its stop") {
    Bench bench;
    const TemporaryFile file("window.vcd");
    bench.wqe.depth.set(9, 0_ps);  // before it is watched
    Waves waves({file.path(), 100_ps, 200_ps}, bench.clock);
    waves.watch(bench.wqe);
    Wqe& wqe = bench.wqe;
    wqe.state.set(Fetch::wait_tag, 40_ps);
    wqe.state.set(Fetch::reading, 100_ps);
    wqe.tags.take(1, 50_ps);
    wqe.tags.give_at(1, 150_ps);
    wqe.busy.set(true, 120_ps);
    wqe.busy.set(false, 200_ps);
    wqe.busy.set(true, 201_ps);  // beyond the stop, but the simulation is not
    CHECK(waves.is_open());
    bench.now = 210_ps;
    wqe.depth.set(1, 210_ps);
    CHECK_FALSE(waves.is_open());
    wqe.depth.set(2, 220_ps);
    waves.close(500_ps);

    CHECK(changes(file) == "#100\n$dumpvars\nb10 !\nb1001 \"\n0#\nb1 $\n$end\n#120\n1#\n#150\nb0 $\n#200\n0#\n");
    CHECK_FALSE(waves.file().cut_at().has_value());
}

TEST_CASE("waves: a run that ends before the window declares its signals") {
    Bench bench;
    const TemporaryFile file("before.vcd");
    Waves waves({file.path(), 100_ps}, bench.clock);
    waves.watch(bench.wqe);
    bench.wqe.depth.set(1, 10_ps);
    waves.close(50_ps);

    CHECK(changes(file) == "#50\n");
}

TEST_CASE("waves: writes by itself when many changes wait") {
    Bench bench;
    const TemporaryFile file("batch.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    bench.wqe.tags.take(1, 0_ps);
    bench.wqe.tags.give_at(1, 5_ps);
    std::string expected = "#0\n$dumpvars\nb0 !\nb0 \"\n0#\nb1 $\n$end\n";
    const auto batches = static_cast<std::int64_t>(3 * Waves::kBatch);
    for (std::int64_t i = 1; i <= batches; ++i) {
        bench.now = Picoseconds{i};
        bench.wqe.busy.set(i % 2 == 1, bench.now);
        expected += "#" + std::to_string(i) + (i % 2 == 1 ? "\n1#\n" : "\n0#\n") + (i == 5 ? "b0 $\n" : "");
    }
    CHECK(waves.file().size().count > 2 * Waves::kBatch);  // a step takes more than a byte
    waves.close(bench.now);

    CHECK((changes(file) == expected));  // not printed if it fails: it is long
}

TEST_CASE("waves: a change before what is written is a broken promise") {
    Bench bench;
    const TemporaryFile file("late.vcd");
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    waves.flush(100_ps);
    bench.wqe.depth.set(1, 100_ps);  // the present is not written yet

    CHECK_THROWS_AS(bench.wqe.busy.set(true, 99_ps), InvariantError);
    CHECK_THROWS_WITH(bench.wqe.state.set(Fetch::reading, 99_ps),
                      "A.nic.wqe at 99 ps: state changes in the past: the waveform is written up to 100 ps");
    CHECK_THROWS_AS(waves.watch(bench.wqe), InvariantError);
}

TEST_CASE("waves: closes itself at the present time when it goes") {
    Bench bench;
    const TemporaryFile file("gone.vcd");
    {
        Waves waves({file.path()}, bench.clock);
        waves.watch(bench.wqe);
        bench.wqe.busy.set(true, 10_ps);
        bench.now = 30_ps;
    }
    bench.wqe.busy.set(false, 40_ps);  // nobody listens

    CHECK(changes(file) == "#0\n" + kAllZero + "#10\n1#\n#30\n");
}

// A unit with a life of its own: it reads, several at a time, announces ahead and takes up a random time.
class Reader : public Unit {
public:
    Reader(const sc_core::sc_module_name& name, Timeline& timeline, unsigned seed)
        : Unit(name, timeline), lane(*this, timeline, seed), random_(seed) {}

    void read(int& left) {
        if (tags.available(now()) > 0) {
            const Picoseconds start = std::max(now(), port_free_);
            port_free_ = start + Picoseconds{static_cast<std::int64_t>(random_() % 50)};
            port_busy.set(true, start);
            port_busy.set(false, port_free_);
            tags.take(1, now());
            tags.give_at(1, port_free_ + Picoseconds{static_cast<std::int64_t>(random_() % 300)});
        }
        waiting.set(static_cast<std::uint16_t>(random_() % 1000), now());
        after_read();
        if (left > 0) {
            lane.push(now() + Picoseconds{static_cast<std::int64_t>(random_() % 60)}, left - 1);
        }
    }

    Lane<int, &Reader::read> lane;
    std::function<void()> after_read = [] {};
    static constexpr PoolFacts kTags{"tags", "read tags in use", PoolUnit::tags};
    Pool tags{*this, kTags, 4};
    Probe<bool> port_busy{*this, "port_busy", "the read port is taken"};
    Probe<std::uint16_t> waiting{*this, "waiting", "reads that wait"};

private:
    std::minstd_rand random_;
    Picoseconds port_free_{};
};

void simulate(const std::filesystem::path& path, bool flush_often) {
    RunControl control;
    Timeline timeline("timeline", control);
    Reader a("a", timeline, 1);
    Reader b("b", timeline, 2);
    const auto now = [&] { return timeline.now(); };
    Waves waves({path}, now);
    waves.watch_all();
    if (flush_often) {
        a.after_read = [&] { waves.flush(now()); };
    }
    a.lane.push(5_ps, 30'000);
    b.lane.push(7_ps, 30'000);
    sc_core::sc_start();
    waves.close(now() + 1us);
}

TEST_CASE("waves: two runs write the same bytes, however often they write") {
    const TemporaryFile first("first.vcd");
    const TemporaryFile second("second.vcd");
    const pid_t child = ::fork();  // before there is a design: a process has only one
    REQUIRE(child >= 0);
    if (child == 0) {
        simulate(second.path(), true);
        ::_exit(0);
    }
    simulate(first.path(), false);
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);

    const std::string text = first.text();
    CHECK(text.size() > 1'000'000);
    CHECK((text == second.text()));
}

}  // namespace ndsim::test::waves_test
