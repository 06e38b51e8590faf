// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/runs.hpp"

#include "sim/config/problems.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::sensitivity {

using Json = nlohmann::ordered_json;

namespace {

bool ended_well(const Json& result) {
    return result.value("outcome", "") == "finished" && sweep::lost_connections(result) == 0;
}

}  // namespace

std::vector<std::string> Runs::overrides_with(const std::vector<std::string>& also) const {
    std::vector<std::string> overrides = arguments_.overrides;
    overrides.insert(overrides.end(), also.begin(), also.end());
    return overrides;
}

Runs Runs::with(const std::vector<std::string>& also) const {
    Runs runs = *this;
    runs.arguments_.overrides = overrides_with(also);
    return runs;
}

std::optional<sweep::Point> Runs::point(const std::vector<std::string>& also) const {
    sweep::Point point{overrides_with(also), {}};
    try {
        point.key = sweep::key_of(cli::load(arguments_.with(point.overrides)));
        return point;
    } catch (const ConfigError&) {
        return std::nullopt;
    }
}

std::string Runs::refusal(const std::vector<std::string>& also) const {
    try {
        static_cast<void>(cli::load(arguments_.with(overrides_with(also))));
        return {};
    } catch (const ConfigError& error) {
        Problem first = error.problems().front();
        first.file.clear();
        first.line = 0;
        return first.text();
    }
}

void Runs::run(const std::vector<std::optional<sweep::Point>>& points) {
    std::vector<sweep::Point> all;
    for (const auto& point : points) {
        if (point) {
            all.push_back(*point);
        }
    }
    if (!runner_.run(all, [this](const sweep::PointsDone& done) { on_wait_({{}, done.done, done.of, "runs"}); })) {
        throw sweep::Interrupted();
    }
}

Json Runs::result(const sweep::Point& point) const {
    return runner_.result_of(point.key);
}

std::vector<Figure> Runs::figures(const std::optional<sweep::Point>& point, const std::vector<std::string>& metrics,
                                  const Json& compared_with) const {
    std::vector<Figure> figures(metrics.size());
    const Json run = point ? result(*point) : Json::object();
    if (!ended_well(run) && ended_well(compared_with)) {
        return figures;
    }
    const Json all = run.value("metrics", Json::object());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        if (const auto found = all.find(metrics[i]); found != all.end()) {
            figures[i] = found->at("value").get<std::uint64_t>();
        }
    }
    return figures;
}

}  // namespace ndsim::sensitivity
