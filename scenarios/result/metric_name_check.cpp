// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/metric_name_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/overrides.hpp"
#include "sim/base/text.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kMostShown = 12;

// The words behind the beginning, up to the next point: one more than can be shown.
std::vector<std::string> words_behind(std::string_view beginning, const Metrics& known) {
    std::vector<std::string> words;
    for (const Metric& metric : known.all()) {
        if (words.size() <= kMostShown && metric.name.starts_with(beginning)) {
            const std::string_view rest = std::string_view(metric.name).substr(beginning.size());
            std::string word(rest.substr(0, rest.find('.')));
            if (std::ranges::find(words, word) == words.end()) {
                words.push_back(std::move(word));
            }
        }
    }
    return words;
}

// metrics that begin with "A.nic." go on with wqe, cq, dma ...: the longest valid part of the name.
std::string ways_on(std::string_view name, const Metrics& known) {
    std::string_view beginning = name.substr(0, name.rfind('.') + 1);
    std::vector<std::string> words = words_behind(beginning, known);
    while (words.empty() && !beginning.empty()) {
        beginning.remove_suffix(1);
        beginning = beginning.substr(0, beginning.rfind('.') + 1);
        words = words_behind(beginning, known);
    }
    const bool are_more = words.size() > kMostShown;
    words.resize(std::min(words.size(), kMostShown));
    return fmt::format("metrics {} {}{}",
                       beginning.empty() ? "begin with" : "that begin with " + in_quotes(beginning) + " go on with",
                       join(words, ", "), are_more ? " ..." : "");
}

std::string kind_of(std::optional<Quantity> quantity) {
    return quantity ? "a " + std::string(word(*quantity)) : "a count";
}

// A value that is compared with a metric.
struct Bound {
    std::string_view metric;
    std::string_view text;
    std::optional<Quantity> quantity;
};

std::optional<std::string> wrong_unit(const Bound& bound, const Metrics& known) {
    const Metric* const metric = known.find(bound.metric);
    if (metric == nullptr || metric->quantity == bound.quantity) {
        return std::nullopt;
    }
    return fmt::format("{} is {}: {}, got {}", bound.metric, kind_of(metric->quantity),
                       metric->quantity ? expected(*metric->quantity) : "expected a whole number without a unit",
                       in_quotes(bound.text));
}

// Checks the metrics that a scenario names.
class MetricChecker {
public:
    MetricChecker(const std::string& file, const Metrics& known) : known_(known), problems_(file) {}

    void check(const MetricExpectation& wanted, const std::string& path) {
        if (const auto absence = no_such_metric(wanted.metric, known_)) {
            add(wanted.metric_at, path + ".metric", absence->message, absence->hint);
            return;
        }
        const bool is_least = wanted.at_least.has_value();
        const Bound bound{wanted.metric, is_least ? wanted.at_least_text : wanted.at_most_text, wanted.unit};
        if (auto wrong = wrong_unit(bound, known_)) {
            add(wanted.bound_at, path + (is_least ? ".at_least" : ".at_most"), std::move(*wrong), {});
        }
    }

    void check(const Target& target, const std::vector<Traffic>& traffic) {
        std::string name = target.figure;
        if (target.kind == TargetKind::generators && !traffic.empty()) {
            name = "traffic." + traffic.front().name + "." + target.figure;
        } else if (target.kind != TargetKind::metric) {
            return;
        }
        if (const auto absence = no_such_metric(name, known_)) {
            add(target.at, target.path, absence->message, absence->hint);
        } else if (auto wrong = wrong_unit({name, target.text, target.quantity}, known_)) {
            add(target.at, target.path, std::move(*wrong), {});
        }
    }

    [[nodiscard]] Problems take() { return std::move(problems_); }

private:
    void add(Position at, std::string path, std::string message, std::string hint) {
        if (at.line != 0) {
            problems_.add(at, std::move(path), std::move(message), std::move(hint));
        } else {
            const std::string_view option = at.set == 0 ? "--target" : format::Overrides::kFile;
            problems_.add({std::string(option), 0, 0, std::move(path), std::move(message), std::move(hint)});
        }
    }

    const Metrics& known_;
    Problems problems_;
};

}  // namespace

std::optional<format::Absence> no_such_metric(std::string_view name, const Metrics& known) {
    if (known.find(name) != nullptr) {
        return std::nullopt;
    }
    std::vector<std::string_view> names;
    std::ranges::transform(known.all(), std::back_inserter(names), &Metric::name);
    format::Absence absence{"there is no metric " + in_quotes(name), {}};
    if (const auto meant = format::suggestion(name, names)) {
        absence.message += "; did you mean " + in_quotes(*meant) + "?";
    } else {
        absence.hint = ways_on(name, known);
    }
    return absence;
}

Problems wrong_metrics(const Scenario& scenario, const Metrics& known) {
    MetricChecker checker(scenario.file, known);
    for (const Expectation& expectation : scenario.expect) {
        if (const auto* const metric = std::get_if<MetricExpectation>(&expectation.what)) {
            checker.check(*metric, expectation.path);
        }
    }
    for (const Target& target : scenario.target) {
        checker.check(target, scenario.traffic);
    }
    return checker.take();
}

bool names_metrics(const Scenario& scenario) {
    return !scenario.target.empty() || std::ranges::any_of(scenario.expect, [](const Expectation& each) {
        return std::holds_alternative<MetricExpectation>(each.what);
    });
}

}  // namespace ndsim
