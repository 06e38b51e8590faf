// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/growth.hpp"

#include <fmt/format.h>

#include "scenarios/measure/steadiness.hpp"
#include "tools/advise/metrics_in.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

std::optional<Growth> growth_in(const Scenario& scenario, const Json& metrics) {
    for (const Traffic& traffic : scenario.traffic) {
        const std::string name = "traffic." + traffic.name;
        const Json* const steady = metric_in(metrics, name + ".steady");
        if (steady == nullptr || steady->at("value") != 0) {
            continue;
        }
        const Json* const polled = metric_in(metrics, name + ".polled");
        const Json* const arrived = metric_in(metrics, name + ".goodput");
        if (polled != nullptr && !keep_up(polled->at("value"), arrived->at("value"))) {
            return Growth{true,
                          fmt::format("{}.polled {} of {} that arrive", name, text_of(*polled), text_of(*arrived))};
        }
        if (traffic.arrivals != ArrivalKind::closed) {
            return Growth{false, name + ".steady 0: messages arrive faster than they are served"};
        }
    }
    return std::nullopt;
}

}  // namespace ndsim::advise
