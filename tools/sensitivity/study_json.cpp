// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity {

using Json = nlohmann::ordered_json;

namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json figures_json(const std::vector<Figure>& figures) {
    Json json = Json::array();
    for (const Figure& figure : figures) {
        json.push_back(or_null(figure));
    }
    return json;
}

}  // namespace

Json to_json(const std::string& file, const Study& study) {
    Json metrics = Json::array();
    for (std::size_t i = 0; i < study.metrics.size(); ++i) {
        metrics.push_back({{"name", study.metrics[i]},
                           {"unit", study.units[i]},
                           {"value", study.base[i]},
                           {"low", or_null(study.spans[i].low)},
                           {"high", or_null(study.spans[i].high)},
                           {"estimates_that_matter", study.corners[i].estimates},
                           {"low_overrides", study.corners[i].low},
                           {"high_overrides", study.corners[i].high},
                           {"low_alone", study.corners[i].low_alone},
                           {"high_alone", study.corners[i].high_alone}});
    }
    Json parameters = Json::array();
    for (const Effect& effect : study.effects) {
        parameters.push_back({{"name", effect.factor.name},
                              {"paths", effect.factor.paths},
                              {"value", effect.factor.value},
                              {"low", or_null(effect.factor.low)},
                              {"high", or_null(effect.factor.high)},
                              {"estimate", effect.factor.is_estimate},
                              {"reason", effect.factor.reason},
                              {"at_low", figures_json(effect.low)},
                              {"at_high", figures_json(effect.high)},
                              {"low_refusal", effect.low_refusal},
                              {"high_refusal", effect.high_refusal}});
    }
    Json points = Json::array();
    for (const BarPoint& point : study.points) {
        Json figures = Json::array();
        for (std::size_t i = 0; i < study.metrics.size(); ++i) {
            figures.push_back({{"value", or_null(point.figures[i])},
                               {"low", or_null(point.spans[i].low)},
                               {"high", or_null(point.spans[i].high)}});
        }
        points.push_back({{"values", point.values}, {"figures", std::move(figures)}});
    }
    return {{"file", std::filesystem::path(file).filename().string()},
            {"metrics", std::move(metrics)},
            {"parameters", std::move(parameters)},
            {"without_effect", study.without_effect},
            {"axes", study.paths},
            {"points", std::move(points)}};
}

}  // namespace ndsim::sensitivity
