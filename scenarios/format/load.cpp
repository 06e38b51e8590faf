// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/load.hpp"

#include "scenarios/format/checks.hpp"
#include "scenarios/format/complete.hpp"
#include "scenarios/format/machine_memory.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/post_times.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/text_file.hpp"

namespace ndsim {

using namespace format;

namespace {

JsonNode parsed(std::string_view text, Problems& problems) {
    auto root = parse_json(text, problems);
    if (!root) {
        throw ConfigError(problems);
    }
    return std::move(*root);
}

Scenario read_scenario(const JsonNode& tree, Problems& problems) {
    Scenario scenario;
    const Place root{tree, "", problems};
    if (read_section(scenario, root, "scenario")) {
        (void)read_text(root, "$schema");
        scenario.about = read_text(root, "about").value_or("");
        read_hosts(root, scenario);
        read_programs(root, scenario);
        read_traffic(root, scenario);
        read_dma(root, scenario);
        read_faults(root, scenario);
        read_expectations(root, scenario);
        read_outputs(root, scenario);
        read_sweep(root, scenario);
        read_target(root, scenario);
    }
    return scenario;
}

// Whether the scenario says how many messages a generator sends.
bool has_count(const JsonNode& tree, const std::string& generator) {
    const JsonNode* const all = tree.find("traffic");
    const JsonNode* const one = all == nullptr ? nullptr : all->find(generator);
    return one != nullptr && one->find("count") != nullptr;
}

void read_traces(Scenario& scenario, const JsonNode& tree, Checker& check) {
    for (Traffic& traffic : scenario.traffic) {
        if (traffic.trace.empty()) {
            continue;
        }
        const std::string path = trace_path(scenario.file, traffic.trace);
        const std::string key = "traffic." + traffic.name + ".trace";
        try {
            std::ifstream trace = open_regular(path);
            Parsed<std::vector<Picoseconds>> times = read_post_times(trace);
            if (!times.value) {
                check.wrong(key, path + ":" + times.error);
            } else if (times.value->empty()) {
                check.wrong(key, path + " has no times");
            } else {
                traffic.times = std::move(*times.value);
                traffic.count = has_count(tree, traffic.name) ? traffic.count : traffic.times.size();
            }
        } catch (const ConfigError& error) {
            check.wrong(key, error.what());
        }
    }
}

}  // namespace

ScenarioText::ScenarioText(std::string file, std::string_view text)
    : file_(std::move(file)), problems_(file_), root_(parsed(text, problems_)) {}

JsonNode ScenarioText::tree(std::span<const std::string> overrides) const {
    Problems problems(file_);
    Overrides sets(overrides, problems);
    return sets.applied_to(root_);
}

LoadedScenario ScenarioText::load(std::span<const std::string> overrides) const {
    Problems problems = problems_;
    Overrides sets(overrides, problems);
    JsonNode tree = sets.applied_to(root_);
    Scenario scenario = read_scenario(tree, problems);
    scenario.file = file_;
    Checker check(tree, problems);
    read_traces(scenario, tree, check);
    if (tree.find("hosts") != nullptr) {
        check_parameters(scenario, check);
        check_buffers(scenario, machine_memory(), check);
        check_shared_receive_queues(scenario, check);
        check_links(scenario, check);
        const Peers peers = connect_queue_pairs(scenario, check);
        check_programs(scenario, peers, check);
        check_apis(scenario, peers, check);
        check_traffic(scenario, peers, check);
        check_dma(scenario, check);
        check_payload(scenario, check);
        check_faults(scenario, check);
        check_expectations(scenario, check);
    }
    sets.named(problems, file_).throw_if_any();
    complete(scenario);
    return {std::move(scenario), std::move(tree)};
}

Scenario load_scenario(const std::string& file, std::string_view text, std::span<const std::string> overrides) {
    LoadedScenario loaded = ScenarioText(file, text).load(overrides);
    loaded.scenario.source = std::make_shared<const ScenarioSource>(
        ScenarioSource{{overrides.begin(), overrides.end()}, std::move(loaded.tree)});
    return std::move(loaded.scenario);
}

}  // namespace ndsim
