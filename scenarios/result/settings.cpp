// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/settings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/format/presets.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"
#include "scenarios/result/json_append.hpp"
#include "sim/base/text.hpp"
#include "sim/config/params.hpp"

namespace ndsim {

namespace {

using format::below;

// Lists the settings.
class Lister {
public:
    Lister(const JsonNode& written, std::size_t from_presets) : written_(written), from_presets_(from_presets) {}

    void list(Scenario& scenario) {
        list_section("scenario", "", scenario);
        for (Host& host : scenario.hosts) {
            list_host(host);
        }
        for (NetworkSwitch& each : scenario.switches) {
            list_section("switch", below("switches", each.name), each.params);
        }
        for (Link& link : scenario.links) {
            const std::string path = below("links", link.name);
            add(below(path, "between"), join(link.between, ", "));
            list_section("link", path, link.params);
        }
        for (Traffic& traffic : scenario.traffic) {
            list_traffic(traffic);
        }
        for (DmaLoad& load : scenario.dma) {
            const std::string path = below("dma", load.name);
            add(below(path, "host"), load.host);
            list_section("dma", path, load.params);
        }
        list_section("outputs", "outputs", scenario.outputs);
        add("outputs.waves", scenario.outputs.waves.enabled ? "true" : "false");
        list_section("waves", "outputs.waves", scenario.outputs.waves);
        add("outputs.packets", scenario.outputs.packets.enabled ? "true" : "false");
        list_section("packets", "outputs.packets", scenario.outputs.packets);
        add("outputs.timeline", scenario.outputs.timeline.enabled ? "true" : "false");
        list_section("timeline", "outputs.timeline", scenario.outputs.timeline);
    }
    [[nodiscard]] std::vector<Setting> take() { return std::move(settings_); }

private:
    // The origin of the value at `path`, if the file or the command line sets it.
    [[nodiscard]] std::optional<Origin> writer(const std::string& path) const {
        const JsonNode* const node = format::find_path(written_, path);
        if (node == nullptr) {
            return std::nullopt;
        }
        return node->at.set == 0 ? Origin::file : node->at.set <= from_presets_ ? Origin::preset : Origin::command_line;
    }
    // The origin of a parameter of the object at `path`, which belongs to `host`.
    [[nodiscard]] Origin origin(const format::Section& section, const Param& param, const std::string& path,
                                const std::string& host) const {
        if (const auto by = writer(below(path, param.path()))) {
            return *by;
        }
        std::string row = section.name == "link" ? below("link", param.path()) : param.path();
        if (const auto inherited = format::other_default(section, param)) {  // hosts.A.nic.sq.depth
            row = *inherited;
            if (const auto by = writer(below(host, row))) {
                return *by;
            }
        }
        return preset_row(row) != nullptr ? Origin::preset : Origin::default_;
    }

    void add(const std::string& path, std::string value, Origin origin) {
        settings_.push_back({path, std::move(value), origin});
    }
    void add(const std::string& path, std::string value) {
        add(path, std::move(value), writer(path).value_or(Origin::default_));
    }

    template <class S>
    void list_section(std::string_view name, const std::string& path, S& s, const std::string& host = {}) {
        for (const Param& param : params_of(s, "")) {
            add(below(path, param.path()), param.current(), origin(format::section(name), param, path, host));
        }
    }

    void list_host(Host& host) {
        const std::string path = below("hosts", host.name);
        add(below(path, "preset"), host.preset);
        add(below(path, "api"), std::string(kApiNames.at(static_cast<std::size_t>(host.api))));
        list_section("host", path, host.node);
        for (Buffer& buffer : host.buffers) {
            list_section("buffer", below(below(path, "buffers"), buffer.name), buffer);
        }
        for (MemoryObject& object : host.memory) {
            list_section("memory_object", below(below(path, "memory"), object.name), object);
        }
        for (CompletionQueue& cq : host.cqs) {
            list_section("cq", below(below(path, "cqs"), cq.name), cq, path);
        }
        for (SharedReceiveQueue& srq : host.srqs) {
            list_section("srq", below(below(path, "srqs"), srq.name), srq, path);
        }
        for (QueuePair& qp : host.qps) {
            const std::string inner = below(below(path, "qps"), qp.name);
            list_section("qp", inner, qp, path);
            add(below(inner, "send_cq"), qp.send_cq);
            add(below(inner, "receive_cq"), qp.receive_cq);
            if (!qp.srq.empty()) {
                add(below(inner, "srq"), qp.srq);
            }
            if (!qp.connect.empty()) {
                add(below(inner, "connect"), qp.connect.text());
            }
        }
    }

    void list_traffic(Traffic& traffic) {
        const std::string path = below("traffic", traffic.name);
        add(below(path, "from"), traffic.from.text());
        add(below(path, "to"), traffic.to.text());
        add(below(path, "size"), texts(traffic.sizes));
        if (!traffic.sgl.empty()) {
            add(below(path, "sgl"), texts(traffic.sgl));
        }
        if (!traffic.weights.empty()) {
            std::vector<std::string> weights;
            std::ranges::transform(traffic.weights, std::back_inserter(weights),
                                   [](std::uint32_t weight) { return std::to_string(weight); });
            add(below(path, "weights"), join(weights, ", "));
        }
        list_section("traffic", path, traffic);
    }

    [[nodiscard]] static std::string texts(const std::vector<Bytes>& sizes) {
        std::vector<std::string> all;
        all.reserve(sizes.size());
        for (const Bytes size : sizes) {
            all.push_back(to_text(size));
        }
        return join(all, ", ");
    }

    const JsonNode& written_;
    std::size_t from_presets_;
    std::vector<Setting> settings_;
};

nlohmann::ordered_json object_of(const JsonNode& node) {
    auto object = object_for(node.members.size());
    for (const JsonMember& member : node.members) {
        append(object, member.key, to_json(member.value));
    }
    return object;
}

}  // namespace

std::vector<Setting> settings_of(Scenario scenario, const JsonNode& written, std::size_t from_presets) {
    Lister lister(written, from_presets);
    lister.list(scenario);
    return lister.take();
}

nlohmann::ordered_json to_json(const JsonNode& node) {
    switch (node.kind) {
        case JsonKind::null:
            return nullptr;
        case JsonKind::boolean:
            return node.flag;
        case JsonKind::integer:
            if (node.negative) {
                return -static_cast<std::int64_t>(node.magnitude);
            }
            return node.magnitude;
        case JsonKind::real:
        case JsonKind::string:
            return node.text;
        case JsonKind::object:
            return object_of(node);
        case JsonKind::array:
            break;
    }
    auto list = nlohmann::ordered_json::array();
    for (const JsonNode& item : node.items) {
        list.push_back(to_json(item));
    }
    return list;
}

std::string_view word(Origin origin) {
    constexpr std::array<std::string_view, 4> kOrigins{"default", "preset", "file", "command line"};
    return kOrigins.at(static_cast<std::size_t>(origin));
}

nlohmann::ordered_json to_json(const std::vector<Setting>& settings) {
    auto object = object_for(settings.size());
    for (const Setting& setting : settings) {
        append(object, setting.path, {{"value", setting.value}, {"origin", word(setting.origin)}});
    }
    return object;
}

}  // namespace ndsim
