// SPDX-License-Identifier: Apache-2.0
#include "tools/report/advice_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/report/advice_curves.hpp"
#include "tools/report/html.hpp"
#include "tools/report/made_by.hpp"
#include "tools/report/page.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

std::string count_or_dash(const Json& json) {
    return json.is_null() ? "-" : std::to_string(json.get<std::uint64_t>());
}

std::string count_or_none(const Json& json) {
    return json.is_null() ? "none" : count_or_dash(json);
}

std::string below(const Json& trial) {
    if (trial.is_null()) {
        return "-";
    }
    const Json& more = trial.at("with_more_of");
    return found_at(trial) + (more.is_null() ? ""
                                             : fmt::format(", with {} {}", more.at("name").get<std::string>(),
                                                           more.at("depth").get<std::uint64_t>()));
}

std::string depths_chapter(const Json& advice) {
    const Json& build = advice.at("build");
    if (build.is_null()) {
        const Json& generous = advice.at("generous");
        const bool is_open = generous.at("verdict") == "open";
        return paragraph((is_open ? "It is open whether any depths are enough: " : "No depths are enough: ") +
                         generous.at("why").get<std::string>() + (is_open ? ", " + length_of_open(generous) : ""));
    }
    TableOf table{{"build", ">depth", ">safe", ">least seen", ">scenario has", "with one less than least seen"}, {}};
    for (const Json& dimension : advice.at("dimensions")) {
        const std::string name = dimension.at("name");
        table.rows.push_back({dimension_name(dimension), count_or_dash(build.at("depths").at(name)),
                              count_or_none(build.at("safe").at(name)), count_or_dash(build.at("least_seen").at(name)),
                              count_or_dash(dimension.at("scenario_has")),
                              below(build.at("below_least_seen").at(name))});
    }
    const Json& tries = advice.at("tries");
    return html_of(table) +
           paragraph(
               fmt::format("In the worst of {} runs, with other seeds and with software late by chance: {}. Memory in "
                           "the NIC {} bytes, in hosts {} bytes.",
                           1 + tries.at("seeds").get<std::uint64_t>(), found_at(build.at("trial")),
                           build.at("chip_bytes").get<std::uint64_t>(), build.at("host_bytes").get<std::uint64_t>())) +
           paragraph(
               "A safe completion queue holds all that may be outstanding, so it cannot overrun. Least seen held in "
               "these runs.");
}

std::string estimates_chapter(const Json& advice) {
    TableOf table{{"estimate", "value", "if it is", "smallest depths"}, {}};
    for (const Json& each : advice.at("assumed")) {
        for (const auto& [value, depths] :
             {std::pair("low", "smallest_at_low"), std::pair("high", "smallest_at_high")}) {
            const std::string missing = each.value(fmt::format("open_at_{}", value), false) ? "open" : "not reached";
            std::vector<std::string> words;
            for (const auto& [name, depth] : each.at(depths).items()) {
                words.push_back(fmt::format("{} {}", name, depth.is_null() ? missing : count_or_dash(depth)));
            }
            table.rows.push_back({each.at("parameter"), each.at("value"), each.at(value), join(words, ", ")});
        }
    }
    return table.rows.empty() ? note("No estimate binds.") : html_of(table);
}

}  // namespace

std::string advice_page(const std::string& folder) {
    const std::string path = folder + "/advice.json";
    std::ifstream file(path);
    try {
        const Json advice = Json::parse(file);
        const std::string name = std::filesystem::path(advice.at("file").get<std::string>()).stem().string();
        MadeBy made{advice.at("ndsim"), advice.at("command").get<std::vector<std::string>>(), {}};
        for (const auto& [parameter, setting] : advice.at("parameters").items()) {
            made.settings[parameter] = {setting.at("value"), setting.at("origin")};
        }
        const std::string presets = presets_text(made.settings);
        const std::string head = fmt::format(
            "<h1>{}: advice</h1>\n{}{}", escaped(name),
            paragraph(fmt::format("Targets: {}{}.", join(advice.at("targets").get<std::vector<std::string>>(), ", "),
                                  presets.empty() ? "" : "; " + presets)),
            made_by_html(made));
        return page_of(name + ": advice", head,
                       {{"Depths", depths_chapter(advice)},
                        {"Curves", depths_over_curves(advice)},
                        {"Estimates", estimates_chapter(advice)}});
    } catch (const Json::exception&) {
        throw cli::UsageError(path + " is not what this version of ndsim advise writes; run it again");
    }
}

}  // namespace ndsim::report
