// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_view.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string_view>
#include <system_error>

namespace ndsim {

namespace {

using Kind = WaveSignal::Kind;

// Flag bits of a trace in a save file (GTKWave 3.3, analyzer.h).
constexpr std::uint32_t kDecimal = 1U << 2U;
constexpr std::uint32_t kBinary = 1U << 3U;
constexpr std::uint32_t kRightJustified = 1U << 5U;
constexpr std::uint32_t kBlank = 1U << 9U;
constexpr std::uint32_t kFileTranslated = 1U << 13U;
constexpr std::uint32_t kAnalogStep = 1U << 15U;
constexpr std::uint32_t kAnalogStretch = 1U << 17U;    // of a blank line: belongs to the analog trace above
constexpr std::uint32_t kAnalogFullScale = 1U << 19U;  // the same scale in every window
constexpr std::uint32_t kGroupBegin = 1U << 23U;
constexpr std::uint32_t kGroupEnd = 1U << 24U;

// Sizes on the screen in pixels; the wave area is the rest of the window beside panes and frames.
constexpr int kWindowWidth = 1600;
constexpr int kWindowHeight = 900;
constexpr int kTreeWidth = 200;
constexpr int kFrames = 102;
constexpr int kPixelsPerLetter = 8;

// GTKWave's zoom is the negated binary logarithm of the time in 200 pixels.
constexpr double kZoomPixels = 200.0;

std::string flags(std::uint32_t bits) {
    std::array<char, 12> text{};
    const auto result = std::to_chars(text.begin(), text.end(), bits, 16);
    return "@" + std::string(text.begin(), result.ptr) + "\n";
}

std::string fixed(double value) {
    std::array<char, 64> text{};
    const auto result = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, 6);
    return {text.begin(), result.ptr};
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

// The host of each unit, or the name of another top-level thing (a link), each once, hosts first.
std::vector<std::string> groups(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    std::vector<std::string> order = options.hosts;
    for (const WaveSignal& signal : signals) {
        if (const std::string top = top_of(signal.unit); std::ranges::find(order, top) == order.end()) {
            order.push_back(top);
        }
    }
    std::erase_if(order, [&](const std::string& group) {
        return std::ranges::none_of(signals, [&](const WaveSignal& s) { return top_of(s.unit) == group; });
    });
    return order;
}

std::string trace(const WaveSignal& signal, const StateTables& tables, std::vector<std::string>& filters) {
    const std::string range = signal.bits == 1 ? "" : "[" + std::to_string(signal.bits - 1) + ":0]";
    const std::string path = signal.unit + "." + signal.name + range + "\n";
    switch (signal.kind) {
        case Kind::flag:
            return flags(kBinary | kRightJustified) + path;
        case Kind::number:
            return flags(kDecimal | kRightJustified) + path;
        case Kind::occupancy:
            return flags(kDecimal | kRightJustified | kAnalogStep | kAnalogFullScale) + path + flags(kAnalogStretch) +
                   "-\n-\n";
        case Kind::state:
            break;
    }
    // GTKWave numbers the filters of a save file in order of appearance.
    const std::string& table = tables.name(signal);
    const auto known = std::ranges::find(filters, table);
    const auto number = known - filters.begin() + 1;
    if (known == filters.end()) {
        filters.push_back(table);
    }
    return flags(kDecimal | kRightJustified | kFileTranslated) + "^" + std::to_string(number) + " gtkwave/" + table +
           ".txt\n" + path;
}

// The necessary width of the pane with names and values.
int names_width(std::span<const WaveSignal> signals) {
    std::size_t names = 0;
    std::size_t values = 12;
    for (const WaveSignal& signal : signals) {
        names = std::max({names, signal.unit.size() + 3, signal.name.size() + 7});  // "  " of the group, "[31:0]="
        for (const std::string& state : signal.states) {
            values = std::max(values, state.size());
        }
    }
    return kPixelsPerLetter * static_cast<int>(std::min<std::size_t>(names + values, 60));
}

std::string window(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    const int names = names_width(signals);
    const std::int64_t span = std::max<std::int64_t>((options.end - options.start).count(), 1);
    const double per_pixel = static_cast<double>(span) / (kWindowWidth - kTreeWidth - names - kFrames);
    std::string marks = fixed(-std::log2(per_pixel * kZoomPixels)) + " " + std::to_string(options.start.count());
    for (int named = 0; named < 26; ++named) {
        marks += " -1";
    }
    return "[timestart] " + std::to_string(options.start.count()) + "\n[size] " + std::to_string(kWindowWidth) + " " +
           std::to_string(kWindowHeight) + "\n[pos] -1 -1\n*" + marks + "\n[sst_width] " + std::to_string(kTreeWidth) +
           "\n[signals_width] " + std::to_string(names) + "\n[sst_expanded] 1\n";
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::error_code error;
    if (path.has_parent_path() && !std::filesystem::create_directories(path.parent_path(), error) && error) {
        throw WaveError(path, error.value());
    }
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        throw WaveError(path, errno);
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const int reason = errno;
    if (std::fclose(file) != 0 || !written) {
        throw WaveError(path, written ? errno : reason);
    }
}

}  // namespace

std::string gtkwave_save_file(const WaveViewOptions& options, std::span<const WaveSignal> signals) {
    const StateTables tables(signals);
    const std::vector<std::string> order = groups(options, signals);
    std::filesystem::path save = options.vcd.filename();
    save.replace_extension(".gtkw");
    std::string text = "[*] ndsim\n[dumpfile] \"" + options.vcd.filename().string() + "\"\n[savefile] \"" +
                       save.string() + "\"\n" + window(options, signals);
    for (const std::string& group : order) {
        text += "[treeopen] " + group + ".\n";
    }
    std::vector<std::string> filters;
    for (const std::string& group : order) {
        text += flags(kGroupBegin | kBlank) + "-" + group + "\n";
        std::vector<std::string_view> units;
        for (const WaveSignal& signal : signals) {
            if (top_of(signal.unit) == group && std::ranges::find(units, signal.unit) == units.end()) {
                units.push_back(signal.unit);
            }
        }
        for (const std::string_view unit : units) {
            text += unit == group ? "" : flags(kBlank) + "-" + std::string(unit) + "\n";
            for (const WaveSignal& signal : signals) {
                text += signal.unit == unit ? trace(signal, tables, filters) : "";
            }
        }
        text += flags(kGroupEnd | kBlank) + "-" + group + "\n";
    }
    return text;
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
