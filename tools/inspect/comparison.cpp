// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/comparison.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

#include "sim/base/histogram.hpp"

namespace ndsim::inspect {

namespace {

using SortedJson = nlohmann::json;

using Key = std::pair<std::string_view, std::string_view>;

constexpr std::uint64_t kFarthest = 1'000'000;

// Beginnings of the metrics that users look at first. All others come behind them.
constexpr std::array<std::string_view, 5> kFirst{"traffic.", "dma.", "programs.", "ledger.", "run."};

// And the first ones among those.
constexpr std::array<std::string_view, 8> kHeadlines{".goodput", ".message_rate", ".rate",        ".transfer_rate",
                                                     ".failed",  ".latency.mean", ".latency.p99", ".delivery.mean"};

bool is_headline(std::string_view name) {
    return std::ranges::any_of(kHeadlines, [&](std::string_view end) { return name.ends_with(end); });
}

// Figures about the trust in others come behind those, for they vary widely from run to run.
bool is_of_trust(std::string_view name) {
    return name.ends_with(".interval") || name.ends_with(".steady");
}

std::size_t rank_of(std::string_view name) {
    const auto found = std::ranges::find_if(kFirst, [&](std::string_view start) { return name.starts_with(start); });
    return static_cast<std::size_t>(found - kFirst.begin()) + (is_of_trust(name) ? kFirst.size() : 0);
}

template <class T>
std::uint64_t distance(const Pair<T>& pair, std::uint64_t first, std::uint64_t second) {
    return pair.first == nullptr || pair.second == nullptr ? kFarthest : distance_ppm(first, second);
}

std::uint64_t distance(const Pair<Metric>& pair) {
    const bool same_unit =
        pair.first == nullptr || pair.second == nullptr || pair.first->quantity == pair.second->quantity;
    return same_unit ? distance(pair, pair.first == nullptr ? 0 : pair.first->value,
                                pair.second == nullptr ? 0 : pair.second->value)
                     : kFarthest;
}

// Pairs the values of everything in either map.
template <class T, class Keep>
void pair_up(const std::map<std::string, T>& first, const std::map<std::string, T>& second, Keep keep) {
    for (const auto& [name, value] : first) {
        const auto other = second.find(name);
        keep(name, Pair<T>{&value, other == second.end() ? nullptr : &other->second});
    }
    for (const auto& [name, value] : second) {
        if (!first.contains(name)) {
            keep(name, Pair<T>{nullptr, &value});
        }
    }
}

std::vector<Pair<Metric>> compare_metrics(const RecordedRun& first, const RecordedRun& second, std::uint64_t ppm) {
    std::vector<Pair<Metric>> metrics;
    pair_up(first.metrics, second.metrics, [&](const std::string&, const Pair<Metric>& pair) {
        const bool differ = pair.first == nullptr || pair.second == nullptr || distance(pair) > ppm ||
                            (ppm == 0 && pair.first->value != pair.second->value);
        if (differ) {
            metrics.push_back(pair);
        }
    });
    const auto key = [](const Pair<Metric>& pair) {
        const bool in_one = pair.first == nullptr || pair.second == nullptr;
        return std::tuple(in_one, rank_of(name_of(pair)), !is_headline(name_of(pair)), kFarthest - distance(pair));
    };
    std::ranges::stable_sort(metrics, {}, key);
    return metrics;
}

std::vector<SettingPair> compare_settings(const RecordedRun& first, const RecordedRun& second) {
    std::vector<SettingPair> settings;
    pair_up(first.settings, second.settings, [&](const std::string& path, const Pair<RecordedSetting>& pair) {
        if (pair.first == nullptr || pair.second == nullptr || *pair.first != *pair.second) {
            settings.push_back({pair, path});
        }
    });
    std::ranges::stable_sort(settings, std::greater(), &SettingPair::is_of_value);
    return settings;
}

// The element with the same key, most likely at the same index.
template <class T, class Key>
const T* partner(const std::vector<T>& all, std::size_t place, const T& of, Key key) {
    if (place < all.size() && key(all[place]) == key(of)) {
        return &all[place];
    }
    const auto found = std::ranges::find(all, key(of), key);
    return found == all.end() ? nullptr : &*found;
}

template <class T, class Key>
std::vector<Pair<T>> pairs_of(const std::vector<T>& first, const std::vector<T>& second, Key key) {
    std::vector<Pair<T>> pairs;
    for (std::size_t i = 0; i < first.size(); ++i) {
        pairs.push_back({&first[i], partner(second, i, first[i], key)});
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
        if (partner(first, i, second[i], key) == nullptr) {
            pairs.push_back({nullptr, &second[i]});
        }
    }
    return pairs;
}

std::vector<Pair<Verdict>> compare_verdicts(const RecordedRun& first, const RecordedRun& second) {
    auto pairs = pairs_of(first.verdicts, second.verdicts,
                          [](const Verdict& verdict) { return Key(verdict.path, verdict.what); });
    std::erase_if(pairs, [](const Pair<Verdict>& pair) {
        return pair.first != nullptr && pair.second != nullptr && pair.first->met == pair.second->met;
    });
    return pairs;
}

std::vector<Pair<MeanLedger>> compare_ledgers(const RecordedRun& first, const RecordedRun& second, std::uint64_t ppm) {
    auto pairs = pairs_of(first.ledgers, second.ledgers,
                          [](const MeanLedger& ledger) { return Key(ledger.host, ledger.operation); });
    const auto of_total = [](const Pair<MeanLedger>& pair) {
        const auto total = [](const MeanLedger* ledger) {
            return ledger == nullptr ? 0 : static_cast<std::uint64_t>(ledger->mean_total.count());
        };
        return distance(pair, total(pair.first), total(pair.second));
    };
    std::erase_if(pairs, [&](const Pair<MeanLedger>& pair) {
        return ppm > 0
                   ? of_total(pair) <= ppm
                   : pair.first != nullptr && pair.second != nullptr && pair.first->accounts == pair.second->accounts;
    });
    std::ranges::stable_sort(pairs, std::greater(), of_total);
    return pairs;
}

std::vector<Pair<RecordedLimit>> compare_limits(const RecordedRun& first, const RecordedRun& second) {
    auto pairs =
        pairs_of(first.limits, second.limits, [](const RecordedLimit& limit) { return Key(limit.kind, limit.what); });
    std::erase_if(pairs, [](const Pair<RecordedLimit>& pair) {
        return !(pair.first != nullptr && pair.first->binds) && !(pair.second != nullptr && pair.second->binds);
    });
    return pairs;
}

// "/hosts/A/buffers/tx/size" is hosts.A.buffers.tx.size, "/programs/A/1/post" is programs.A[1].post.
std::string path_of(std::string_view pointer) {
    std::string path;
    for (std::size_t at = 1; at < pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        const std::string step(pointer.substr(at, end - at));
        const bool is_index = step.find_first_not_of("0123456789") == std::string::npos;
        path += is_index ? "[" + step + "]" : (path.empty() ? "" : ".") + step;
        at = end + 1;
    }
    return path;
}

// A value of the file is also a setting: "nic.mtu" is hosts.A.nic.mtu, "traffic.t.size[0]" is in traffic.t.size.
bool is_setting(const std::string& path, const std::vector<SettingPair>& settings) {
    return std::ranges::any_of(settings, [&](const SettingPair& setting) {
        return setting.path == path || setting.path.ends_with("." + path) || path.starts_with(setting.path + "[");
    });
}

constexpr std::string_view kWritten = "/written";

// What other runs have shown, of --prove-limits and --error-bars.
void erase_other_runs(SortedJson& whole) {
    for (const std::string key : {"error_bars", "limits_chance", "limits_together"}) {
        whole.erase(key);
    }
    for (SortedJson& limit : whole.at("limits")) {
        limit.erase("proof");
    }
}

// The rest of result.json: how the run ended, and the scenario without its parameters. The times of engines are also
// among the metrics, statuses among the requests, and the files follow from settings.
SortedJson remainder(const RecordedRun& run) {
    SortedJson rest = run.whole;
    erase_other_runs(rest);
    for (const std::string_view key : {"ndsim", "metrics", "engines", "ledgers", "limits", "expectations", "started_ps",
                                       "ended_ps", "statuses", "files", "alike", "scenario"}) {
        rest.erase(std::string(key));
    }
    const SortedJson& scenario = run.whole.at("scenario");
    rest["scenario"] = {{"file", scenario.at("file")}};
    rest["written"] = scenario.at("written");
    return rest.flatten();
}

std::vector<OtherPair> compare_others(const RecordedRun& first, const RecordedRun& second,
                                      const std::vector<SettingPair>& settings) {
    const auto texts = [](const SortedJson& flat) {
        std::map<std::string, std::string> named;
        for (const auto& [pointer, value] : flat.items()) {
            named[pointer] = value.dump(-1, ' ', false, SortedJson::error_handler_t::replace);
        }
        return named;
    };
    const std::map<std::string, std::string> firsts = texts(remainder(first));
    const std::map<std::string, std::string> seconds = texts(remainder(second));
    // What is empty in one run, and has members in the other: these are told.
    const auto is_filled = [](const std::map<std::string, std::string>& in, const std::string& pointer) {
        const auto below = in.lower_bound(pointer + "/");
        return below != in.end() && below->first.starts_with(pointer + "/");
    };
    std::vector<OtherPair> others;
    pair_up(firsts, seconds, [&](const std::string& pointer, const Pair<std::string>& pair) {
        if (is_filled(pair.first == nullptr ? firsts : seconds, pointer)) {
            return;
        }
        const std::string path = path_of(pointer.starts_with(kWritten) ? pointer.substr(kWritten.size()) : pointer);
        const std::string a = pair.first == nullptr ? "" : *pair.first;
        const std::string b = pair.second == nullptr ? "" : *pair.second;
        if (a != b && !is_setting(path, settings)) {
            others.push_back({path, a, b});
        }
    });
    return others;
}

// What was recorded, apart from the results.
void erase_recordings(SortedJson& whole) {
    whole.erase("files");
    SortedJson& scenario = whole.at("scenario");
    if (scenario.at("written").is_object()) {  // null: a program has made the scenario by itself
        scenario.at("written").erase("outputs");
    }
    auto& parameters = scenario.at("parameters").get_ref<SortedJson::object_t&>();
    std::erase_if(parameters, [](const auto& each) { return each.first.starts_with("outputs."); });
}

// An override may be spelled in several ways.
bool are_same(const RecordedRun& first, const RecordedRun& second) {
    std::array wholes{first.whole, second.whole};
    for (SortedJson& whole : wholes) {
        erase_other_runs(whole);
        erase_recordings(whole);
        whole.erase("ndsim");
        whole.erase("alike");  // follows from the scenario; programs that use the library do not write it
        whole.at("scenario").erase("overrides");
    }
    return wholes[0] == wholes[1];
}

bool bind_alike(const Comparison& comparison) {
    return std::ranges::all_of(comparison.limits, [](const Pair<RecordedLimit>& pair) {
        return pair.first != nullptr && pair.second != nullptr && pair.first->binds == pair.second->binds;
    });
}

}  // namespace

const std::string& name_of(const Pair<Metric>& pair) {
    return pair.any().name;
}

std::uint64_t distance_ppm(std::uint64_t first, std::uint64_t second) {
    const std::uint64_t larger = std::max(first, second);
    const std::uint64_t apart = larger - std::min(first, second);
    return larger == 0 ? 0 : static_cast<std::uint64_t>((WideSum{apart} * kFarthest + larger - 1) / larger);
}

Comparison compare_runs(const RecordedRun& first, const RecordedRun& second, std::optional<Fraction> tolerance) {
    const std::uint64_t ppm = tolerance ? tolerance->ppm : 0;
    Comparison comparison;
    comparison.metrics = compare_metrics(first, second, ppm);
    comparison.settings = compare_settings(first, second);
    comparison.others = compare_others(first, second, comparison.settings);
    comparison.verdicts = compare_verdicts(first, second);
    comparison.ledgers = compare_ledgers(first, second, ppm);
    comparison.limits = compare_limits(first, second);
    comparison.events_known = first.has_completions() && second.has_completions();
    if (comparison.events_known) {
        comparison.parting = find_parting(first, second);
    }
    comparison.identical = are_same(first, second) && !comparison.parting;
    comparison.same = tolerance
                          ? comparison.metrics.empty() && comparison.verdicts.empty() && comparison.ledgers.empty() &&
                                bind_alike(comparison) && first.whole.at("outcome") == second.whole.at("outcome")
                          : comparison.identical;
    return comparison;
}

}  // namespace ndsim::inspect
