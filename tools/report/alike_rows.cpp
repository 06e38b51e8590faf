// SPDX-License-Identifier: Apache-2.0
#include "tools/report/alike_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "tools/cli/alike.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::report {

namespace {

const Metric* metric_of_run(const inspect::RecordedRun& run, const std::string& name) {
    const auto found = run.metrics.find(name);
    return found == run.metrics.end() ? nullptr : &found->second;
}

}  // namespace

std::string name_together(const std::vector<std::string>& names) {
    const std::string title = cli::first_and_last(names);
    return names.size() == 1 ? title : fmt::format("{} ({} alike)", title, names.size());
}

std::string AlikeRow::title() const {
    return name_together(names_);
}

std::string AlikeRow::figure(std::string_view name) const {
    std::vector<const Metric*> metrics;
    std::ranges::transform(names_, std::back_inserter(metrics), [&](const std::string& each) {
        return metric_of_run(run_, fmt::format("{}.{}", each, name));
    });
    return cli::range_of(metrics);
}

std::string AlikeRow::interval(std::string_view name) const {
    const Metric* widest = nullptr;
    for (const std::string& each : names_) {
        const Metric* const interval = metric_of_run(run_, fmt::format("{}.{}", each, name));
        if (interval != nullptr && (widest == nullptr || interval->value > widest->value)) {
            widest = interval;
        }
    }
    return widest == nullptr ? "" : "± " + cli::decimal((widest->value + 50) / 100, 2) + " %";
}

std::string AlikeRow::steadiness() const {
    const auto unsteady = std::ranges::count_if(names_, [this](const std::string& each) {
        const Metric* const steady = metric_of_run(run_, each + ".steady");
        return steady != nullptr && steady->value == 0;
    });
    const bool all = static_cast<std::size_t>(unsteady) == names_.size();
    return unsteady == 0 ? "" : all ? "not steady" : fmt::format("{} of {} not steady", unsteady, names_.size());
}

std::vector<AlikeRow> alike_rows(const inspect::RecordedRun& run, std::vector<std::string> names) {
    std::ranges::stable_sort(names);
    std::vector<AlikeRow> rows;
    for (std::vector<std::string>& group : run.alike.groups(names)) {
        std::ranges::stable_sort(group, {}, [](const std::string& name) { return std::tuple(name.size(), name); });
        rows.emplace_back(run, std::move(group));
    }
    return rows;
}

}  // namespace ndsim::report
