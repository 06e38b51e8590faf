// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include "sim/files/waves.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

// What the tests of the waveform writer share: a unit to watch, and a file to look into.
namespace ndsim::waves_test {

using test::literals::operator""_ps;

enum class Fetch : std::uint8_t { idle, wait_tag, reading };
constexpr std::array<std::string_view, 3> kFetch{"idle", "wait_tag", "reading"};

class Wqe : public Unit {
public:
    Wqe(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}

    Probe<Fetch> state{*this, "state", "what the fetcher does", kFetch};
    Probe<std::uint32_t> depth{*this, "depth", "WQEs posted and not yet retired"};
    Probe<bool> busy{*this, "busy", "an entry is being decoded"};
    static constexpr PoolFacts kTags{"tags", "read tags in use", PoolUnit::tags};
    Pool tags{*this, kTags, 4};
};

// A host "A" with a NIC with a unit: A.nic.wqe. `now` is the simulated time that a Waves sees.
struct Bench {
    struct Nic : sc_core::sc_module {
        Nic(const sc_core::sc_module_name& name, Timeline& timeline) : sc_module(name), wqe("wqe", timeline) {}
        Wqe wqe;
    };
    struct Host : sc_core::sc_module {
        Host(const sc_core::sc_module_name& name, RunControl& control)
            : sc_module(name), timeline("timeline", control), nic("nic", timeline) {}
        Timeline timeline;
        Nic nic;
    };

    RunControl control;
    Host host{"A", control};
    Wqe& wqe = host.nic.wqe;
    Picoseconds now{};
    std::function<Picoseconds()> clock = [this] { return now; };
};

// A file of this process in the folder for temporary files, gone with the object.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("ndsim_" + std::to_string(::getpid()) + "_" + name)) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::string text() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    std::filesystem::path path_;
};

inline const std::string kHeader =
    "$date ndsim $end\n"
    "$version ndsim $end\n"
    "$timescale 1ps $end\n"
    "$scope module A $end\n"
    "$scope module nic $end\n"
    "$scope module wqe $end\n"
    "$comment state: what the fetcher does; states: 0 idle, 1 wait_tag, 2 reading $end\n"
    "$var wire 2 ! state [1:0] $end\n"
    "$comment depth: WQEs posted and not yet retired $end\n"
    "$var wire 32 \" depth [31:0] $end\n"
    "$comment busy: an entry is being decoded $end\n"
    "$var wire 1 # busy $end\n"
    "$comment tags: read tags in use; capacity: 4 $end\n"
    "$var wire 3 $ tags [2:0] $end\n"
    "$upscope $end\n"
    "$upscope $end\n"
    "$upscope $end\n"
    "$enddefinitions $end\n";

inline const std::string kAllZero = "$dumpvars\nb0 !\nb0 \"\n0#\nb0 $\n$end\n";

// What the file says after the declarations.
inline std::string changes(const TemporaryFile& file) {
    const std::string text = file.text();
    REQUIRE(text.starts_with(kHeader));
    return text.substr(kHeader.size());
}

}  // namespace ndsim::waves_test
