// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/point_result.hpp"

#include <utility>

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

// An ordered_json object looks through all its keys for each new one, so metrics are taken out while they are parsed.
PointResult parse_result(std::string text) {
    PointResult result{std::move(text), {}, {}};
    bool in_metrics = false;
    std::string name;
    const auto keep = [&](int depth, Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::key && depth == 1) {
            in_metrics = parsed == "metrics";
        } else if (event == Json::parse_event_t::key && depth == 2 && in_metrics) {
            name = parsed.get<std::string>();
        } else if (event == Json::parse_event_t::object_end && depth == 2 && in_metrics) {
            result.metrics.push_back({name, parsed.at("value").get<std::uint64_t>(), parsed.at("unit")});
            return false;
        }
        return true;
    };
    result.rest = Json::parse(result.text, keep);
    return result;
}

}  // namespace ndsim::sweep
