// SPDX-License-Identifier: Apache-2.0

#include <sys/resource.h>

#include <csignal>

#include "tests/sim/files/waves_bench.hpp"

namespace ndsim::test::waves_disk_test {

using namespace ndsim::waves_test;

TEST_CASE("waves: a step that does not fit into the size limit ends the file before it") {
    RunControl control;
    Timeline timeline("timeline", control);
    Wqe exact("wqe", timeline);
    Wqe short_by_one("wqf", timeline);
    const TemporaryFile exact_file("exact.vcd");
    const TemporaryFile short_file("short.vcd");
    Picoseconds now{};
    const auto clock = [&] { return now; };
    // What stands before the second step; the last time stamp may take 21 bytes.
    std::size_t header = 0;
    {
        Waves probe({exact_file.path()}, clock);
        probe.watch(exact);
        probe.close(0_ps);
        header = exact_file.text().size();
    }
    const std::string first = "#10\nb1 \"\n";
    const std::string second = "#20\nb10 \"\n1#\n";
    const std::uint64_t limit = header + first.size() + second.size() + 21;
    Waves fits({exact_file.path(), {}, Picoseconds::max(), {limit}}, clock);
    Waves cut({short_file.path(), {}, Picoseconds::max(), {limit - 1}}, clock);
    fits.watch(exact);
    cut.watch(short_by_one);
    for (Wqe* wqe : {&exact, &short_by_one}) {
        wqe->depth.set(1, 10_ps);
        wqe->depth.set(2, 20_ps);
        wqe->busy.set(true, 20_ps);
    }
    fits.flush(30_ps);
    cut.flush(30_ps);

    CHECK(fits.is_open());
    CHECK_FALSE(cut.is_open());
    CHECK(cut.file().cut_at() == 20_ps);
    exact.depth.set(3, 40_ps);
    short_by_one.depth.set(3, 40_ps);
    fits.close(50_ps);
    cut.close(50_ps);

    CHECK(fits.file().cut_at() == 40_ps);
    CHECK(exact_file.text().ends_with("$end\n" + first + second + "#40\n"));
    CHECK(exact_file.text().size() <= limit);
    CHECK(short_file.text().ends_with("$end\n" + first + "#20\n"));
    CHECK(cut.file().size().count == short_file.text().size());
}

TEST_CASE("waves: a full disk is reported, also to whoever closes, and the run costs nothing more") {
    Bench bench;
    Waves waves({"/dev/full"}, bench.clock);
    waves.watch(bench.wqe);
    const auto run = [&] {
        for (std::int64_t i = 1; i <= 1'000'000; ++i) {  // some 10 bytes each, the buffer holds a million
            bench.now = Picoseconds{i};
            bench.wqe.busy.set(i % 2 == 1, bench.now);
        }
    };
    CHECK_THROWS_WITH(run(), "/dev/full: No space left on device");
    CHECK_FALSE(waves.is_open());
    run();  // nobody listens
    CHECK_THROWS_AS(waves.close(bench.now), WaveError);
    CHECK_THROWS_WITH(waves.close(bench.now), "/dev/full: No space left on device");
}

TEST_CASE("waves: a disk that is full only at the end is reported by close()") {
    Bench bench;
    Waves waves({"/dev/full"}, bench.clock);
    waves.watch(bench.wqe);
    bench.wqe.busy.set(true, 10_ps);
    CHECK_THROWS_WITH(waves.close(20_ps), "/dev/full: No space left on device");
}

TEST_CASE("waves: what a full disk cut in two is taken back to the last whole step") {
    Bench bench;
    const TemporaryFile file("limit.vcd");
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t most = 1'500'000;
    const rlimit limit{most, most};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    Waves waves({file.path()}, bench.clock);
    waves.watch(bench.wqe);
    std::string expected = kHeader + "#0\n" + kAllZero;
    std::size_t whole = 0;
    const auto run = [&] {
        for (std::int64_t i = 1; i <= 1'000'000; ++i) {
            bench.now = Picoseconds{i};
            whole = expected.size() <= most ? expected.size() : whole;  // where a step begins
            bench.wqe.depth.set(static_cast<std::uint32_t>(i % 2), bench.now);
            expected += "#" + std::to_string(i) + (i % 2 == 1 ? "\nb1 \"\n" : "\nb0 \"\n");
        }
    };
    CHECK_THROWS_WITH(run(), file.path().string() + ": File too large");

    const std::string text = file.text();
    CHECK(text.size() > most - 100);
    CHECK((expected.starts_with(text)));
    CHECK(expected[text.size()] == '#');
    CHECK(waves.file().size().count == text.size());
}

TEST_CASE("waves: a file that cannot be opened is reported at once") {
    CHECK_THROWS_WITH(Waves({"/nowhere/waves.vcd"}, [] { return Picoseconds{}; }),
                      "/nowhere/waves.vcd: No such file or directory");
}

TEST_CASE("waves: goes without a word when the disk is full") {
    Bench bench;
    Waves waves({"/dev/full"}, bench.clock);
    waves.watch(bench.wqe);
    bench.wqe.busy.set(true, 10_ps);
    SUCCEED();
}

}  // namespace ndsim::test::waves_disk_test
