// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/metrics_in.hpp"

#include "scenarios/result/result_json.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

const Json* metric_in(const Json& metrics, const std::string& name) {
    const auto found = metrics.find(name);
    return found == metrics.end() ? nullptr : &*found;
}

std::uint64_t value_in(const Json& metrics, const std::string& name) {
    const Json* const metric = metric_in(metrics, name);
    return metric == nullptr ? 0 : metric->at("value").get<std::uint64_t>();
}

std::string text_of(const Json& metric) {
    const auto quantity = ndsim::quantity_of(metric.at("unit").get<std::string>());
    const auto value = metric.at("value").get<std::uint64_t>();
    return quantity ? cli::rounded(to_text(*quantity, value)) : std::to_string(value);
}

}  // namespace ndsim::advise
