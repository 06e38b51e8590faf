// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/calibrate/calibration.hpp"

namespace ndsim::calibrate {

using Json = nlohmann::ordered_json;

namespace {

std::int64_t ppm(double part) {
    constexpr double kMillion = 1e6;
    return std::llround(part * kMillion);
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

Json to_json(const Question& question, const Calibration& calibration) {
    Json figures = Json::array();
    for (std::size_t i = 0; i < question.measurements.figures.size(); ++i) {
        const Measured& measured = question.measurements.figures[i];
        figures.push_back({{"set", question.measurements.runs[measured.run].overrides},
                           {"metric", measured.metric},
                           {"quantity", word(measured.quantity)},
                           {"measured", measured.value},
                           {"before", calibration.before[i]},
                           {"after", calibration.after[i]}});
    }
    Json parameters = Json::array();
    for (const FittedParameter& parameter : calibration.parameters) {
        const sensitivity::Factor& factor = parameter.factor;
        parameters.push_back({{"name", factor.name},
                              {"paths", factor.paths},
                              {"before", factor.value},
                              {"after", parameter.after},
                              {"range", {factor.low.value_or(factor.value), factor.high.value_or(factor.value)}},
                              {"reason", factor.reason},
                              {"within", {parameter.low, parameter.high}},
                              {"determined", parameter.determined == Determined::well         ? "well"
                                             : parameter.determined == Determined::not_at_all ? "no"
                                                                                              : "hardly"}});
    }
    return {{"file", file_name(question.scenario.file)},
            {"measurements", file_name(question.measured)},
            {"rms_before_ppm", ppm(calibration.rms_before)},
            {"rms_after_ppm", ppm(calibration.rms_after)},
            {"figures", std::move(figures)},
            {"parameters", std::move(parameters)},
            {"left", calibration.left},
            {"runs", calibration.runs}};
}

Json preset_json(const Question& question, const Calibration& calibration) {
    Json set = Json::object();
    for (const FittedParameter& parameter : calibration.parameters) {
        if (parameter.after == parameter.factor.value) {
            continue;
        }
        // A name such as nic.rx_pipe stands for all hosts; if they differ, each has its path.
        const std::string& name = parameter.factor.name;
        if (!name.starts_with("hosts.") && !name.starts_with("links.") && !name.starts_with("switches.")) {
            set[name] = parameter.after;
            continue;
        }
        for (const std::string& path : parameter.factor.paths) {
            set[path] = parameter.after;
        }
    }
    constexpr double kPercent = 100;
    return {{"about", fmt::format("{}, fitted to {}: {:.1f} % off, {:.1f} % before", file_name(question.scenario.file),
                                  file_name(question.measured), kPercent * calibration.rms_after,
                                  kPercent * calibration.rms_before)},
            {"set", std::move(set)}};
}

}  // namespace ndsim::calibrate
