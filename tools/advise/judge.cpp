// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "scenarios/result/traffic_ends.hpp"
#include "sim/base/histogram.hpp"
#include "sim/base/text.hpp"
#include "tools/advise/growth.hpp"
#include "tools/advise/metrics_in.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

namespace {

// Counters of a host, or of a generator, that are 0 in a run without loss.
constexpr std::array<std::string_view, 4> kOverflows{".ndk.cq_errors", ".nic.cq.overruns", ".nic.doorbell.dropped",
                                                     ".nic.rx.overflows"};
constexpr std::string_view kRnr = ".nic.responder.rnr_naks";

// Half the relative width of the 95 % interval: rates have the generator's, mean latencies their own.
std::uint64_t interval_of(const Json& metrics, const std::string& generator, const std::string& figure) {
    if (figure == "goodput" || figure == "message_rate") {
        return value_in(metrics, generator + ".interval");
    }
    return figure == "latency.mean" ? value_in(metrics, generator + ".latency.interval") : 0;
}

// Of a metric by its whole name: "traffic.t.goodput" has that of the generator's goodput.
std::uint64_t interval_of_metric(const Json& metrics, const std::string& name) {
    const std::size_t generator = std::string_view("traffic.").size();
    const std::size_t figure = name.starts_with("traffic.") ? name.find('.', generator) : std::string::npos;
    return figure == std::string::npos ? 0 : interval_of(metrics, name.substr(0, figure), name.substr(figure + 1));
}

// A target that allows none of its figures.
bool is_count(const Target& target) {
    return target.kind == TargetKind::no_overflow || target.kind == TargetKind::no_rnr;
}

// In tenths of a percent, rounded up.
std::string interval_text(std::uint64_t ppm) {
    constexpr std::uint64_t kTenth = 1'000;
    return fmt::format(" +- {} %", cli::percent((ppm + kTenth - 1) / kTenth * kTenth, kMillion));
}

// The generator that a metric belongs to: "traffic.t.goodput" is of "traffic t".
std::vector<std::string> owner_of(const Scenario& scenario, const std::string& metric) {
    const auto owner = std::ranges::find_if(
        scenario.traffic, [&](const Traffic& traffic) { return metric.starts_with("traffic." + traffic.name + "."); });
    return owner == scenario.traffic.end() ? std::vector<std::string>{} : std::vector{name_of(*owner)};
}

// The end of a run that did not finish, in a few words.
std::string end_of(const Json& result) {
    const auto outcome = result.at("outcome").get<std::string>();
    return outcome == "time_limit"   ? "stopped at limits.time"
           : outcome == "item_limit" ? "stopped at a limit"
                                     : outcome;
}

Verdict verdict_of(const Target& target, std::uint64_t value, std::uint64_t interval_ppm) {
    const auto margin = static_cast<std::uint64_t>(WideSum{value} * interval_ppm / kMillion);
    const std::uint64_t low = value - std::min(margin, value);
    const std::uint64_t high = value + margin;
    const bool surely = target.at_least ? low >= target.bound : high <= target.bound;
    const bool hardly = target.at_least ? high < target.bound : low > target.bound;
    return surely ? Verdict::met : hardly ? Verdict::missed : Verdict::open;
}

}  // namespace

Judge::Judge(const Scenario& scenario, std::vector<Target> targets)
    : scenario_(scenario), targets_(std::move(targets)), lanes_(scenario) {}

bool Judge::only_rates() const {
    return std::ranges::all_of(
        targets_, [](const Target& target) { return is_rate(target) || target.kind == TargetKind::no_overflow; });
}

std::vector<Figure> Judge::figures_of(const Target& target, const Json& metrics) const {
    std::vector<Figure> figures;
    const auto add = [&](const std::string& name, std::uint64_t interval) {
        if (const Json* const metric = metric_in(metrics, name)) {
            figures.push_back(
                {name + " " + text_of(*metric), metric->at("value").get<std::uint64_t>(), interval, true});
        } else {
            const bool has_samples = metric_in(metrics, name.substr(0, name.rfind('.')) + ".mean") != nullptr;
            const char* const why = has_samples ? " is unknown, as its messages are too few for it"
                                                : " is unknown, for example because there are no messages";
            figures.push_back({name + why, 0, 0, false});
            figures.back().is_open = has_samples;
        }
        figures.back().generators = owner_of(scenario_, name);
    };
    switch (target.kind) {
        case TargetKind::line_rate:
            return lanes_.figures(metrics);
        case TargetKind::generators:
            for (const Traffic& traffic : scenario_.traffic) {
                const std::string generator = "traffic." + traffic.name;
                add(generator + "." + target.figure, interval_of(metrics, generator, target.figure));
            }
            return figures;
        case TargetKind::metric:
            add(target.figure, interval_of_metric(metrics, target.figure));
            return figures;
        case TargetKind::no_overflow:
            for (const Traffic& traffic : scenario_.traffic) {
                add("traffic." + traffic.name + ".failed", 0);
            }
            for (const Host& host : scenario_.hosts) {
                for (const std::string_view counter : kOverflows) {
                    const std::string name = host.name + std::string(counter);
                    figures.push_back({fmt::format("{} {}", name, value_in(metrics, name)), value_in(metrics, name)});
                }
            }
            for (const NetworkSwitch& box : scenario_.switches) {
                for (const auto& [name, metric] : metrics.items()) {
                    if (name.starts_with(box.name + ".") && name.ends_with(".drops")) {
                        const std::uint64_t drops = value_in(metrics, name);
                        figures.push_back({fmt::format("{} {}", name, drops), drops});
                    }
                }
            }
            return figures;
        case TargetKind::no_rnr:
            for (const Host& host : scenario_.hosts) {
                add(host.name + std::string(kRnr), 0);
            }
            return figures;
    }
    return figures;
}

// Whatever the target is, a run that lost messages, or in which a queue pair stood still, is no answer; empty: no loss.
std::string Judge::loss_in(const Json& result) const {
    for (const Json& dead : result.value("dead_connections", Json::array())) {
        if (!dead.at("expected").get<bool>()) {
            return fmt::format("connection {} ended by an error: {}", dead.at("connection").get<std::string>(),
                               dead.at("why").get<std::string>());
        }
    }
    const Json& metrics = result.at("metrics");
    for (const Host& host : scenario_.hosts) {
        // The wait for a timeout is often outside of what the generators measure.
        const std::string timeouts = host.name + ".nic.completer.timeouts";
        if (scenario_.faults.empty() && value_in(metrics, timeouts) > 0) {
            return fmt::format("{} {}", timeouts, value_in(metrics, timeouts));
        }
    }
    for (const Traffic& traffic : scenario_.traffic) {
        const Json* const messages = metric_in(metrics, "traffic." + traffic.name + ".messages");
        if (scenario_.measure.drain && messages != nullptr && messages->at("value") < traffic.count) {
            return fmt::format("traffic.{}.messages {} of {}", traffic.name, messages->at("value").get<std::uint64_t>(),
                               traffic.count);
        }
    }
    return {};
}

std::string Judge::forbidden_in(const Json& metrics) const {
    for (const Target& target : targets_) {
        if (!is_count(target)) {
            continue;
        }
        for (const Figure& figure : figures_of(target, metrics)) {
            if (figure.known && figure.value > 0) {
                return fmt::format("{}, wanted {}", figure.text, target.text);
            }
        }
    }
    return {};
}

Judgement Judge::judge(const Json& result, Longer longer) const {
    Judgement judgement{Verdict::met, UINT64_MAX, {}, {}};
    const int exit = result.at("exit").get<int>();
    if (exit == static_cast<int>(cli::ExitCode::internal_error)) {  // it says nothing about the depths
        throw cli::BrokenRun("a run has broken off: " + result.at("why").get<std::string>());
    }
    if (exit > static_cast<int>(cli::ExitCode::expectation_failed)) {
        return {Verdict::missed, 0, {end_of(result)}, result.at("why").get<std::string>()};
    }
    if (const std::string loss = loss_in(result); !loss.empty()) {
        return {Verdict::missed, 0, {loss}, loss};
    }
    const Json& metrics = result.at("metrics");
    if (const auto growth = growth_in(scenario_, metrics)) {
        // What must not happen may be the reason why something grows.
        if (const std::string happened = forbidden_in(metrics); !happened.empty()) {
            return {Verdict::missed, 0, {happened}, happened};
        }
        const bool is_open = longer == Longer::possible || growth->is_of_unpolled;
        Judgement grows{is_open ? Verdict::open : Verdict::missed, 0, {growth->why}, growth->why};
        grows.is_behind = growth->is_of_unpolled;
        return grows;
    }
    std::string decided;
    std::optional<std::uint64_t> nearest;  // the smallest share of a bound that is reached
    for (const Target& target : targets_) {
        for (const Figure& figure : figures_of(target, metrics)) {
            const Verdict verdict = figure.is_open ? Verdict::open
                                    : figure.known ? verdict_of(target, figure.value, figure.interval_ppm)
                                                   : Verdict::missed;
            const bool is_near = verdict == Verdict::open && !figure.is_open;
            const std::string text = figure.text + (is_near ? interval_text(figure.interval_ppm) : "");
            if (figure.is_open && judgement.early.empty()) {
                judgement.early = lanes_.early(metrics);
            }
            const bool is_worse =
                judgement.verdict == Verdict::met || (verdict == Verdict::missed && judgement.verdict == Verdict::open);
            if (verdict != Verdict::met && is_worse) {
                judgement.verdict = verdict;
                judgement.generators = figure.generators;
                decided = text;
                judgement.why = fmt::format("{}, wanted {}{}", text, target.text,
                                            is_near ? "; the 95 % interval contains the bound" : "");
            }
            if (target.bound > 0) {
                const std::uint64_t reached = target.at_least ? ppm(figure.value, target.bound)
                                              : figure.known && figure.value == 0
                                                  ? UINT64_MAX  // as far from the bound as can be
                                                  : ppm(target.bound, figure.value);
                judgement.worst_ppm = std::min(judgement.worst_ppm, reached);
                if (judgement.verdict == Verdict::met && reached < nearest.value_or(reached + 1)) {
                    nearest = reached;
                    judgement.generators = figure.generators;
                }
            }
            if (!is_count(target) || figure.value > 0 || !figure.known) {
                judgement.found.push_back(text);
                if (text == decided) {  // the deciding one is shown where there is room for one
                    std::rotate(judgement.found.begin(), judgement.found.end() - 1, judgement.found.end());
                }
            }
        }
    }
    if (judgement.found.empty()) {  // nothing forbidden happened
        std::ranges::transform(targets_, std::back_inserter(judgement.found), &Target::text);
    }
    return judgement;
}

}  // namespace ndsim::advise
