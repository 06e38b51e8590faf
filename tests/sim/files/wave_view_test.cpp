// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_view.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::wave_view_test {

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

TEST_CASE("wave view: hosts in the given order with the network behind the first, each kind in its own way") {
    std::vector<WaveSignal> signals = kSignals;
    signals.push_back({"B.nic.protection", "key", "key that was changed last", Kind::key, 32, {}});
    signals.push_back({"B.nic.cq", "request", "request completed last", Kind::request, 64, {}});
    const std::string text = gtkwave_save_file({"run/waves.vcd", {"B", "A", "C"}, 1us, 2us}, signals);

    // Flags: 0x800000 group begin, 0x1000000 group end, 0x200 no signal, 0x2 hexadecimal, 0x4 decimal, 0x8 binary, 0x10
    // text, 0x20 right-justified, 0x2000 names from a file, 0x8000 steps at 0x80000 full scale.
    CHECK(text.substr(text.find("[treeopen]")) ==
          "[treeopen] B.\n[treeopen] A.\n[treeopen] C.\n"
          "@800200\n-B\n"
          "@2024\n^1 gtkwave/wqe.state.txt\n+{nic wqe state} B.nic.wqe.state[1:0]\n"
          "@28\n+{nic wqe busy} B.nic.wqe.busy\n"
          "@22\n+{nic protection key} B.nic.protection.key[31:0]\n"
          "@30\n+{nic cq request} B.nic.cq.request\n"
          "@1000200\n-B\n"
          "@800200\n-network\n"
          "@2024\n^2 gtkwave/l0.up.txt\n+{l0 up} l0.up[1:0]\n"
          "@1000200\n-network\n"
          "@800200\n-A\n"
          "@2024\n^1 gtkwave/wqe.state.txt\n+{nic wqe state} A.nic.wqe.state[1:0]\n"
          "@24\n+{nic wqe depth} A.nic.wqe.depth[31:0]\n"
          "@88024\n+{nic dma tags} A.nic.dma.tags[2:0]\n"
          "@1000200\n-A\n");
}

TEST_CASE("wave view: the first group has whole names, others do not have its signals, and what is aside is closed") {
    WaveViewOptions options{"run/waves.vcd", {"A", "B"}, 1us, 2us};
    options.first = "A.send is A.2";
    options.rows = {kSignals[2], kSignals[0]};
    std::vector<WaveSignal> signals = kSignals;
    signals[3].aside = true;
    signals[4].aside = true;
    signals[5].capacity = 5;
    signals[5].largest = 4;
    const std::string text = gtkwave_save_file(options, signals);

    // 0x400000 is closed, and its end is also collapsed, 0x1000. The network has no other signal, so it has no group.
    CHECK(text.substr(text.find("[treeopen]")) ==
          "[treeopen] A.\n[treeopen] B.\n"
          "@800200\n-A.send is A.2\n"
          "@24\n+{A nic wqe depth} A.nic.wqe.depth[31:0]\n"
          "@2024\n^1 gtkwave/l0.up.txt\n+{l0 up} l0.up[1:0]\n"
          "@1000200\n-A.send is A.2\n"
          "@800200\n-A\n"
          "@2024\n^2 gtkwave/wqe.state.txt\n+{nic wqe state} A.nic.wqe.state[1:0]\n"
          "@88024\n+{nic dma tags (4 of 5)} A.nic.dma.tags[2:0]\n"
          "@1000200\n-A\n"
          "@c00200\n-B, aside\n"
          "@2024\n^2 gtkwave/wqe.state.txt\n+{nic wqe state} B.nic.wqe.state[1:0]\n"
          "@28\n+{nic wqe busy} B.nic.wqe.busy\n"
          "@1401200\n-B, aside\n");
    // "nic dma tags (4 of 5)" and 3 make 24 letters, and values 12: 36 * 8 pixels.
    CHECK(text.find("[signals_width] 288\n") != std::string::npos);
}

TEST_CASE("wave view: signals that keep their value are in closed groups at the end") {
    std::vector<WaveSignal> signals = kSignals;
    signals[0].still = true;
    signals[1].still = true;
    signals[2].still = true;
    const std::string text = gtkwave_save_file({"run/waves.vcd", {"A", "B"}, 1us, 2us}, signals);

    // 0x400000 is closed, and its end is also collapsed, 0x1000.
    const std::string open = text.substr(text.find("@800200"), text.find("@c00200") - text.find("@800200"));
    CHECK(open.find("A.nic.wqe.") == std::string::npos);
    CHECK(open.find("l0") == std::string::npos);
    CHECK(text.substr(text.find("@c00200")) ==
          "@c00200\n-A, unchanged\n"
          "@2024\n^1 gtkwave/wqe.state.txt\n+{nic wqe state} A.nic.wqe.state[1:0]\n"
          "@24\n+{nic wqe depth} A.nic.wqe.depth[31:0]\n"
          "@1401200\n-A, unchanged\n"
          "@c00200\n-network, unchanged\n"
          "@2024\n^2 gtkwave/l0.up.txt\n+{l0 up} l0.up[1:0]\n"
          "@1401200\n-network, unchanged\n");
}

TEST_CASE("wave view: the window shows the time from start to end") {
    const std::string text = gtkwave_save_file({"run/waves.vcd", {"A", "B"}, 1us, 2us}, kSignals);

    // Names: "nic wqe state" and 3, values: 12 letters, so 28 * 8 = 224 pixels. 1600 - 200 - 224 - 102 = 1074 pixels
    // for a million picoseconds; 200 of them show 186 219.74, whose binary logarithm is 17.506646.
    CHECK(
        text.starts_with("[*] ndsim\n[dumpfile] \"waves.vcd\"\n[savefile] \"waves.gtkw\"\n[timestart] 1000000\n"
                         "[size] 1600 1000\n[pos] -1 -1\n*-17.506646 1000000 -1 "));
    CHECK(text.find("[sst_width] 200\n[signals_width] 224\n") != std::string::npos);
}

TEST_CASE("wave view: markers have their time and name, and there are 26 of them at most") {
    WaveViewOptions options{"run/waves.vcd", {"A", "B"}, 1us, 2us, {{1200ns, "A.write"}, {1500ns, "B.received"}}};
    std::string text = gtkwave_save_file(options, kSignals);
    CHECK(text.find(" 1000000 1200000 1500000 -1 -1 ") != std::string::npos);
    CHECK(text.find("[markername] AA.write\n[markername] BB.received\n[sst_width]") != std::string::npos);
    options.marks.clear();
    for (int i = 1; i <= 30; ++i) {
        options.marks.push_back({1us + i * 30ns, "s"});  // 32 pixels apart, as a pixel is 0.93 ns
    }
    text = gtkwave_save_file(options, kSignals);
    CHECK(text.find("[markername] Zs\n[sst_width]") != std::string::npos);
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
                      Catch::Matchers::StartsWith("/proc/nowhere/waves.gtkw: "));
}

}  // namespace ndsim::test::wave_view_test
