// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/wave_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/base/exact_rate.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::inspect {

namespace {

constexpr std::size_t kMostSteps = 1000;  // a picture with more shows nothing
constexpr std::size_t kLeastTicks = 3;    // WaveDrom takes one or two for an offset and a distance

// Whether `text` fits a pattern in which * is any text.
bool fits(std::string_view text, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return text == pattern;
    }
    if (!text.starts_with(pattern.substr(0, star))) {
        return false;
    }
    text.remove_prefix(star);
    pattern.remove_prefix(star + 1);
    for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
        if (fits(text.substr(skipped), pattern)) {
            return true;
        }
    }
    return false;
}

// A number as the viewers show it: keys are hexadecimal.
std::string number_text(const RecordedSignal& signal, std::uint64_t value) {
    return signal.path.ends_with(".key") ? fmt::format("{:#x}", value) : std::to_string(value);
}

// One line of the picture while it is built.
struct Row {
    std::string wave;
    std::vector<std::string> data;
    std::optional<std::uint64_t> value;

    void add(const RecordedSignal& signal, std::uint64_t next) {
        const bool named = next < signal.states.size();
        if (signal.bits == 1 && signal.states.empty()) {
            wave += next != 0 ? '1' : '0';
        } else if (named && (signal.states[next] == "idle" || signal.states[next] == "-")) {
            wave += 'z';
        } else {
            wave += '=';
            data.push_back(named ? signal.states[next] : number_text(signal, next));
        }
        value = next;
    }
};

std::vector<bool> chosen_signals(const RecordedWaves& waves, const WaveChoice& choice, Interval shown) {
    std::vector<bool> chosen(waves.signals.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i] =
            std::ranges::any_of(choice.patterns, [&](const std::string& p) { return fits(waves.signals[i].path, p); });
    }
    if (choice.patterns.empty()) {
        for (const RecordedChange& change : waves.changes) {
            if (change.at > shown.start && change.at <= shown.end) {
                chosen[change.signal] = true;
            }
        }
    }
    return chosen;
}

std::string nanoseconds(Picoseconds at) {
    std::string text = fmt::format("{}.{:03}", at.count() / 1000, at.count() % 1000);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string time_text(Picoseconds at) {
    return to_text(Quantity::time, static_cast<std::uint64_t>(at.count()));
}

}  // namespace

nlohmann::ordered_json wave_json(const RecordedWaves& waves, const WaveChoice& choice, const std::string& title) {
    const Picoseconds first = waves.changes.empty() ? Picoseconds{} : waves.changes.front().at;
    const Interval shown{std::max(choice.from.value_or(first), first), choice.to.value_or(waves.last)};
    if (shown.end < shown.start) {
        throw cli::UsageError("the waveform has nothing between " + time_text(choice.from.value_or(first)) + " and " +
                              time_text(shown.end));
    }
    const std::vector<bool> chosen = chosen_signals(waves, choice, shown);
    if (std::ranges::none_of(chosen, [](bool one) { return one; })) {
        throw cli::UsageError(choice.patterns.empty() ? "no signal changes in this time"
                                                      : "no signal of the waveform fits --signals");
    }

    // The values of each step; the first step is the beginning of the time shown.
    std::map<Picoseconds, std::map<std::size_t, std::uint64_t>> steps;
    steps[shown.start];
    for (const RecordedChange& change : waves.changes) {
        if (chosen[change.signal] && change.at <= shown.end) {
            steps[std::max(change.at, shown.start)][change.signal] = change.value;
        }
        if (steps.size() > kMostSteps) {
            throw cli::UsageError(
                fmt::format("more than {} steps up to {} are too many for a picture: choose less time (--from, --to) "
                            "or fewer signals (--signals)",
                            kMostSteps, time_text(change.at)));
        }
    }
    std::vector<Row> rows(waves.signals.size());
    std::vector<std::string> ticks;
    for (const auto& [at, values] : steps) {
        ticks.push_back(nanoseconds(at));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto value = values.find(i);
            if (value != values.end() && rows[i].value != value->second) {
                rows[i].add(waves.signals[i], value->second);
            } else {
                rows[i].wave += rows[i].value ? '.' : 'x';
            }
        }
    }
    ticks.resize(std::max(ticks.size(), kLeastTicks));

    nlohmann::ordered_json signals = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (chosen[i]) {
            nlohmann::ordered_json signal{{"name", waves.signals[i].path}, {"wave", rows[i].wave}};
            if (!rows[i].data.empty()) {
                signal["data"] = rows[i].data;
            }
            signals.push_back(std::move(signal));
        }
    }
    const std::string range = time_text(shown.start) + " to " + time_text(shown.end);
    return {{"signal", signals},
            {"head", {{"text", title + ", " + range}}},
            {"foot", {{"text", "ns; each change is a step"}, {"tick", ticks}}},
            {"config", {{"hscale", 2}}}};
}

}  // namespace ndsim::inspect
