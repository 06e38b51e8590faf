// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <system_error>

#include "sim/files/whole_file.hpp"

namespace ndsim {

namespace {

using Kind = WaveSignal::Kind;

// Flag bits of a trace in a save file (GTKWave 3.3, analyzer.h).
constexpr std::uint32_t kHexadecimal = 1U << 1U;
constexpr std::uint32_t kDecimal = 1U << 2U;
constexpr std::uint32_t kBinary = 1U << 3U;
constexpr std::uint32_t kAscii = 1U << 4U;
constexpr std::uint32_t kRightJustified = 1U << 5U;
constexpr std::uint32_t kBlank = 1U << 9U;
constexpr std::uint32_t kCollapsed = 1U << 12U;
constexpr std::uint32_t kFileTranslated = 1U << 13U;
constexpr std::uint32_t kAnalogStep = 1U << 15U;
constexpr std::uint32_t kAnalogFullScale = 1U << 19U;  // the same scale in every window
constexpr std::uint32_t kClosed = 1U << 22U;
constexpr std::uint32_t kGroupBegin = 1U << 23U;
constexpr std::uint32_t kGroupEnd = 1U << 24U;

// Sizes on the screen in pixels; the wave area is the rest of the window beside panes and frames.
constexpr int kWindowWidth = 1600;
constexpr int kWindowHeight = 1000;
constexpr int kTreeWidth = 200;
constexpr int kFrames = 102;
constexpr int kPixelsPerLetter = 8;

// GTKWave's zoom is the negated binary logarithm of the time in 200 pixels.
constexpr std::size_t kMostMarks = 26;  // A to Z
constexpr double kZoomPixels = 200.0;

const std::string kNetwork = "network";  // the owner of switches and lanes

std::string flags(std::uint32_t bits) {
    return fmt::format("@{:x}\n", bits);
}

std::string top_of(const std::string& unit) {
    return unit.substr(0, unit.find('.'));
}

// The name tables of the states, each under one name however many signals share it.
class StateTables {
public:
    // The names of a state's values.
    struct Table {
        std::string name;
        unsigned bits = 0;
    };

    explicit StateTables(std::span<const WaveSignal> signals) {
        for (const WaveSignal& signal : signals) {
            if (signal.kind == Kind::state && !tables_.contains(signal.states)) {
                const std::string leaf = signal.unit.substr(signal.unit.rfind('.') + 1) + "." + signal.name;
                const bool taken = std::ranges::any_of(tables_, [&](const auto& t) { return t.second.name == leaf; });
                tables_[signal.states] = {taken ? signal.unit + "." + signal.name : leaf, signal.bits};
            }
        }
    }
    [[nodiscard]] const std::string& name(const WaveSignal& signal) const { return tables_.at(signal.states).name; }
    [[nodiscard]] const auto& all() const { return tables_; }

private:
    std::map<std::vector<std::string>, Table> tables_;
};

// The name of a signal in its group: within its host, or the whole name in the network's group and in the first one.
// GTKWave would show only what stands behind the last dot. A pool's row is as high as its largest value, so this and
// the capacity stand behind its name.
std::string alias(const WaveViewOptions& options, const WaveSignal& signal, bool whole = false) {
    std::string name = signal.unit + "." + signal.name;
    const std::string top = top_of(signal.unit);
    if (!whole && std::ranges::find(options.hosts, top) != options.hosts.end()) {
        name.erase(0, top.size() + 1);
    }
    std::ranges::replace(name, '.', ' ');
    if (signal.capacity != 0) {
        name += " (" + std::to_string(signal.largest) + " of " + std::to_string(signal.capacity) + ")";
    }
    return name;
}

// Groups of traces.
class Groups {
public:
    Groups(const WaveViewOptions& options, std::span<const WaveSignal> signals) : options_(options), tables_(signals) {}

    // The first group.
    void add_first() {
        std::string traces;
        for (const WaveSignal& signal : options_.rows) {
            traces += trace(signal, true);
        }
        enclose(options_.first, traces, false);
    }
    // A group with those of the signals that fit and are not in the first group.
    template <class Fits>
    void add(const std::string& name, bool closed, std::span<const WaveSignal* const> signals, Fits fits) {
        std::string traces;
        for (const WaveSignal* const signal : signals) {
            traces += fits(*signal) && !is_first(*signal) ? trace(*signal, false) : "";
        }
        enclose(name, traces, closed);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    [[nodiscard]] bool is_first(const WaveSignal& signal) const {
        return std::ranges::any_of(options_.rows, [&signal](const WaveSignal& row) {
            return row.unit == signal.unit && row.name == signal.name;
        });
    }
    std::string trace(const WaveSignal& signal, bool whole);
    void enclose(const std::string& name, const std::string& traces, bool closed);

    const WaveViewOptions& options_;
    const StateTables tables_;
    std::vector<std::string> filters_;
    std::string text_;
};

void Groups::enclose(const std::string& name, const std::string& traces, bool closed) {
    if (!traces.empty()) {
        text_ += flags(kGroupBegin | kBlank | (closed ? kClosed : 0)) + "-" + name + "\n" + traces +
                 flags(kGroupEnd | kBlank | (closed ? kClosed | kCollapsed : 0)) + "-" + name + "\n";
    }
}

std::string Groups::trace(const WaveSignal& signal, bool whole) {
    const std::string range =
        signal.bits == 1 || signal.kind == Kind::request ? "" : "[" + std::to_string(signal.bits - 1) + ":0]";
    const std::string path =
        "+{" + alias(options_, signal, whole) + "} " + signal.unit + "." + signal.name + range + "\n";
    switch (signal.kind) {
        case Kind::request:
            return flags(kAscii | kRightJustified) + path;
        case Kind::flag:
            return flags(kBinary | kRightJustified) + path;
        case Kind::number:
            return flags(kDecimal | kRightJustified) + path;
        case Kind::key:
            return flags(kHexadecimal | kRightJustified) + path;
        case Kind::occupancy:
            return flags(kDecimal | kRightJustified | kAnalogStep | kAnalogFullScale) + path;
        case Kind::state:
            break;
    }
    // GTKWave numbers the filters of a save file in order of appearance.
    const std::string& table = tables_.name(signal);
    const auto known = std::ranges::find(filters_, table);
    const auto number = known - filters_.begin() + 1;
    if (known == filters_.end()) {
        filters_.push_back(table);
    }
    return flags(kDecimal | kRightJustified | kFileTranslated) + "^" + std::to_string(number) + " gtkwave/" + table +
           ".txt\n" + path;
}

// The necessary width of the pane with names and values.
int names_width(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    std::size_t names = 0;
    std::size_t values = 12;
    for (const WaveSignal& signal : options.rows) {
        names = std::max(names, alias(options, signal, true).size() + 3);
    }
    for (const WaveSignal& signal : signals) {
        names = std::max(names, alias(options, signal).size() + 3);  // "  " of the group, "="
        for (const std::string& state : signal.states) {
            values = std::max(values, state.size());
        }
    }
    return kPixelsPerLetter * static_cast<int>(std::min<std::size_t>(names + values, 60));
}

std::string window(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    const int names = names_width(options, signals);
    const std::int64_t span = std::max<std::int64_t>((options.end - options.start).count(), 1);
    const double per_pixel = static_cast<double>(span) / (kWindowWidth - kTreeWidth - names - kFrames);
    std::string marks =
        fmt::format("{:.6f}", -std::log2(per_pixel * kZoomPixels)) + " " + std::to_string(options.start.count());
    std::string names_of_marks;
    const std::span<const WaveMark> shown(options.marks.data(), std::min(options.marks.size(), kMostMarks));
    const std::vector<std::string> names_shown = mark_names(shown, per_pixel);
    for (std::size_t i = 0; i < kMostMarks; ++i) {
        marks += i < shown.size() ? " " + std::to_string(shown[i].at.count()) : " -1";
        if (i < shown.size()) {
            names_of_marks += std::string("[markername] ") + static_cast<char>('A' + i) + names_shown[i] + "\n";
        }
    }
    return "[timestart] " + std::to_string(options.start.count()) + "\n[size] " + std::to_string(kWindowWidth) + " " +
           std::to_string(kWindowHeight) + "\n[pos] -1 -1\n*" + marks + "\n" + names_of_marks + "[sst_width] " +
           std::to_string(kTreeWidth) + "\n[signals_width] " + std::to_string(names) + "\n[sst_expanded] 1\n";
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::error_code error;
    if (path.has_parent_path() && !std::filesystem::create_directories(path.parent_path(), error) && error) {
        throw WaveError(path, error.value());
    }
    if (const int reason = write_through(path.string(), text); reason != 0) {
        throw WaveError(path, reason);
    }
}

}  // namespace

std::string gtkwave_save_file(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    std::filesystem::path save = options.vcd.filename();
    save.replace_extension(".gtkw");
    std::string text = "[*] ndsim\n[dumpfile] \"" + options.vcd.filename().string() + "\"\n[savefile] \"" +
                       save.string() + "\"\n" + window(options, signals);
    std::vector<std::string> owners = options.hosts;
    owners.insert(owners.begin() + (owners.empty() ? 0 : 1), kNetwork);
    std::map<std::string, std::vector<const WaveSignal*>> owned;
    for (const std::string& host : options.hosts) {
        owned[host];
    }
    for (const WaveSignal& signal : signals) {
        const auto host = owned.find(top_of(signal.unit));
        (host == owned.end() ? owned[kNetwork] : host->second).push_back(&signal);
    }
    for (const std::string& host : options.hosts) {
        text += "[treeopen] " + host + ".\n";
    }
    Groups groups(options, signals);
    groups.add_first();
    for (const std::string& name : owners) {
        groups.add(name, false, owned[name], [](const WaveSignal& s) { return !s.still && !s.aside; });
    }
    for (const std::string& name : owners) {
        groups.add(name + ", aside", true, owned[name], [](const WaveSignal& s) { return !s.still && s.aside; });
    }
    for (const std::string& name : owners) {
        groups.add(name + ", unchanged", true, owned[name], [](const WaveSignal& s) { return s.still; });
    }
    return text + groups.text();
}

void write_wave_view(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    const std::filesystem::path folder = options.vcd.parent_path();
    const StateTables tables(signals);
    for (const auto& [states, table] : tables.all()) {
        std::string gtkwave;
        std::string surfer = "Name = " + table.name + "\n";
        for (std::size_t value = 0; value < states.size(); ++value) {
            gtkwave += std::to_string(value) + " " + states[value] + "\n";
            for (unsigned bit = table.bits; bit-- > 0;) {
                surfer += ((value >> bit) & 1U) != 0 ? '1' : '0';
            }
            surfer += " " + states[value] + "\n";
        }
        write_file(folder / "gtkwave" / (table.name + ".txt"), gtkwave);
        write_file(folder / "surfer" / "mappings" / (table.name + ".txt"), surfer);
    }
    std::filesystem::path save = options.vcd;
    write_file(save.replace_extension(".gtkw"), gtkwave_save_file(options, signals));
}

}  // namespace ndsim
