// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_view.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace wave_view_test {

using namespace ndsim;
using namespace std::chrono_literals;
using Kind = WaveSignal::Kind;

const std::vector<std::string> kFetch{"idle", "wait_tag", "reading"};

const std::vector<WaveSignal> kSignals{
    {"l0", "up", "carrier", Kind::state, 2, {"down", "up"}},
    {"A.nic.wqe", "state", "what the fetcher does", Kind::state, 2, kFetch},
    {"A.nic.wqe", "depth", "WQEs posted", Kind::number, 32, {}},
    {"B.nic.wqe", "state", "what the fetcher does", Kind::state, 2, kFetch},
    {"B.nic.wqe", "busy", "an entry is being decoded", Kind::flag, 1, {}},
    {"A.nic.dma", "tags", "read tags in use", Kind::occupancy, 3, {}},
};

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("wave view: hosts in the given order, units as headings, each kind in its own way") {
    const std::string text = gtkwave_save_file({"run/waves.vcd", {"B", "A", "C"}, 1us, 2us}, kSignals);

    // Flags: 0x800000 group begin, 0x1000000 group end, 0x200 heading, 0x4 decimal, 0x8 binary, 0x20 right-justified,
    // 0x2000 names from a file, 0x8000 steps at 0x80000 full scale, 0x20000 more height for them.
    CHECK(text.substr(text.find("[treeopen]")) ==
          "[treeopen] B.\n[treeopen] A.\n[treeopen] l0.\n"
          "@800200\n-B\n"
          "@200\n-B.nic.wqe\n"
          "@2024\n^1 gtkwave/wqe.state.txt\nB.nic.wqe.state[1:0]\n"
          "@28\nB.nic.wqe.busy\n"
          "@1000200\n-B\n"
          "@800200\n-A\n"
          "@200\n-A.nic.wqe\n"
          "@2024\n^1 gtkwave/wqe.state.txt\nA.nic.wqe.state[1:0]\n"
          "@24\nA.nic.wqe.depth[31:0]\n"
          "@200\n-A.nic.dma\n"
          "@88024\nA.nic.dma.tags[2:0]\n@20000\n-\n-\n"
          "@1000200\n-A\n"
          "@800200\n-l0\n"
          "@2024\n^2 gtkwave/l0.up.txt\nl0.up[1:0]\n"
          "@1000200\n-l0\n");
}

TEST_CASE("wave view: the window shows the time from start to end") {
    const std::string text = gtkwave_save_file({"run/waves.vcd", {"A", "B"}, 1us, 2us}, kSignals);

    // Names: "A.nic.wqe" and 3, values: 12 letters, so 24 * 8 = 192 pixels. 1600 - 200 - 192 - 102 = 1106 pixels for a
    // million picoseconds; 200 of them show 180 831.83, whose binary logarithm is 17.464289.
    CHECK(
        text.starts_with("[*] ndsim\n[dumpfile] \"waves.vcd\"\n[savefile] \"waves.gtkw\"\n[timestart] 1000000\n"
                         "[size] 1600 900\n[pos] -1 -1\n*-17.464289 1000000 -1 "));
    CHECK(text.find("[sst_width] 200\n[signals_width] 192\n") != std::string::npos);
}

TEST_CASE("wave view: files for both viewers beside the waveform, a table of states once") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ndsim_view_" + std::to_string(::getpid()));
    std::vector<WaveSignal> signals = kSignals;
    signals.push_back({"B.rx.wqe", "state", "another table of the same name", Kind::state, 2, {"off", "on"}});
    write_wave_view({folder / "waves.vcd", {"A", "B"}, 0ns, 1us}, signals);

    CHECK(text_of(folder / "waves.gtkw") == gtkwave_save_file({folder / "waves.vcd", {"A", "B"}, 0ns, 1us}, signals));
    CHECK(text_of(folder / "gtkwave/wqe.state.txt") == "0 idle\n1 wait_tag\n2 reading\n");
    CHECK(text_of(folder / "gtkwave/l0.up.txt") == "0 down\n1 up\n");
    CHECK(text_of(folder / "gtkwave/B.rx.wqe.state.txt") == "0 off\n1 on\n");
    CHECK(text_of(folder / "surfer/mappings/wqe.state.txt") == "Name = wqe.state\n00 idle\n01 wait_tag\n10 reading\n");
    CHECK(text_of(folder / "surfer/mappings/l0.up.txt") == "Name = l0.up\n00 down\n01 up\n");
    std::filesystem::remove_all(folder);
}

TEST_CASE("wave view: a folder that cannot be written is reported") {
    CHECK_THROWS_AS(write_wave_view({"/dev/null/waves.vcd", {}, 0ns, 1us}, kSignals), WaveError);
    CHECK_THROWS_WITH(write_wave_view({"/proc/nowhere/waves.vcd", {}, 0ns, 1us}, {}),
                      Catch::StartsWith("/proc/nowhere/waves.gtkw: "));
}

}  // namespace wave_view_test
