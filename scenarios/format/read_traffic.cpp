// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/read.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"

namespace ndsim::format {

namespace {

// "A" is short for "A.q0".
Endpoint read_queue_pair(const Place& place, std::string_view key) {
    const auto text = read_text(place, key);
    if (!text) {
        return {};
    }
    Endpoint end = endpoint_of(*text, "q0");
    if (!is_name(end.host) || !is_name(end.name)) {
        place.wrong(*place.node.find(key), place.inner(key),
                    "expected a host or a queue pair, such as \"A\" or \"A.q0\", got " + in_quotes(*text));
        return {};
    }
    return end;
}

// Reads a recording that a file switches on or off, or describes.
template <class Output>
void read_recording(Output& output, const Place& outputs, std::string_view key) {
    const JsonNode* const wanted = outputs.node.find(key);
    if (wanted == nullptr) {
        return;
    }
    if (wanted->is(JsonKind::object)) {
        output.enabled = true;
        read_section(output, Place{*wanted, outputs.inner(key), outputs.problems}, key);
    } else if (wanted->is(JsonKind::boolean)) {
        output.enabled = wanted->flag;
    } else {
        outputs.wrong(*wanted, outputs.inner(key), "expected true, false or an object, got " + wanted->shown());
    }
}

}  // namespace

void read_traffic(const Place& root, Scenario& scenario) {
    for_each_named(root, "traffic", [&](const std::string& name, const Place& member) {
        Traffic traffic;
        traffic.at = member.node.at;
        traffic.name = name;
        if (read_section(traffic, member, "traffic")) {
            traffic.from = read_queue_pair(member, "from");
            traffic.to = read_queue_pair(member, "to");
            traffic.sgl = read_sizes(member, "sgl", true);
            traffic.weights = read_counts(member, "weights", Traffic::kLargestWeight);
            traffic.trace = read_text(member, "trace").value_or("");
            const std::vector<Bytes> sizes = read_sizes(member, "size", false);
            if (!sizes.empty()) {
                traffic.sizes = sizes;
            } else if (!traffic.sgl.empty() && member.node.find("size") == nullptr) {
                traffic.sizes = {Bytes{}};
                for (const Bytes size : traffic.sgl) {
                    traffic.sizes.front() += size;
                }
            }
        }
        scenario.traffic.push_back(std::move(traffic));
    });
}

void read_dma(const Place& root, Scenario& scenario) {
    for_each_named(root, "dma", [&](const std::string& name, const Place& member) {
        DmaLoad load;
        load.at = member.node.at;
        load.name = name;
        if (read_section(load.params, member, "dma")) {
            load.host = read_text(member, "host").value_or("");
        }
        scenario.dma.push_back(std::move(load));
    });
}

void read_outputs(const Place& root, Scenario& scenario) {
    const JsonNode* const node = root.node.find("outputs");
    if (node == nullptr) {
        return;
    }
    const Place place{*node, "outputs", root.problems};
    if (!read_section(scenario.outputs, place, "outputs")) {
        return;
    }
    read_recording(scenario.outputs.waves, place, "waves");
    read_recording(scenario.outputs.packets, place, "packets");
    read_recording(scenario.outputs.timeline, place, "timeline");
}

}  // namespace ndsim::format
