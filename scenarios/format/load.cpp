// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/load.hpp"

#include "scenarios/format/checks.hpp"
#include "scenarios/format/implied.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/read.hpp"

namespace ndsim {

using namespace format;

namespace {

Scenario read_scenario(const JsonNode& tree, Problems& problems) {
    Scenario scenario;
    const Place root{tree, "", problems};
    if (read_section(scenario, root, "scenario")) {
        scenario.about = read_text(root, "about").value_or("");
        read_hosts(root, scenario);
        read_programs(root, scenario);
        read_traffic(root, scenario);
        read_faults(root, scenario);
        read_expectations(root, scenario);
        read_outputs(root, scenario);
    }
    return scenario;
}

}  // namespace

Scenario load_scenario(const std::string& file, std::string_view text, std::span<const std::string> overrides) {
    Problems problems(file);
    auto tree = parse_json(text, problems);
    if (!tree) {
        throw ConfigError(problems);
    }
    Overrides sets(overrides, problems);
    sets.apply_first(*tree);
    add_implied(*tree);
    sets.apply_rest(*tree);

    Scenario scenario = read_scenario(*tree, problems);
    Checker check(*tree, problems);
    if (tree->find("hosts") != nullptr) {
        check_parameters(scenario, check);
        check_shared_receive_queues(scenario, check);
        check_links(scenario, check);
        const Peers peers = connect_queue_pairs(scenario, check);
        check_programs(scenario, peers, check);
        check_traffic(scenario, peers, check);
        check_faults(scenario, check);
        check_expectations(scenario, check);
    }
    sets.named(problems, file).throw_if_any();
    scenario.file = file;
    return scenario;
}

}  // namespace ndsim
