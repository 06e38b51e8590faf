// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/request_labels.hpp"

namespace ndsim::format {

RequestLabels::RequestLabels(const Scenario& scenario) {
    for (const Host& host : scenario.hosts) {
        if (host.program) {
            collect(host.name, host.program->ops);
        }
    }
}

std::span<const RequestLabels::Labelled> RequestLabels::find(const std::string& label) const {
    const auto found = labels_.find(label);
    return found == labels_.end() ? std::span<const Labelled>() : found->second;
}

std::vector<std::string> RequestLabels::all() const {
    std::vector<std::string> names;
    for (const auto& [name, requests] : labels_) {
        names.push_back(name);
    }
    return names;
}

void RequestLabels::collect(const std::string& host, const std::vector<Op>& ops) {
    for_each_op(ops, [&](const Op& op) {
        if (const auto* const end = std::get_if<ConnectionOp>(&op.what); end != nullptr && !end->label.empty()) {
            const std::string name = host + "." + end->label;
            labels_[name].push_back({name, 0});
        }
        if (const auto* const post = std::get_if<PostOp>(&op.what); post != nullptr && !post->label.empty()) {
            const std::string name = host + "." + post->label;
            const std::string all = name.substr(0, name.find('['));
            labels_[name].push_back({name, post->flags});
            if (all != name) {
                labels_[all].push_back({name, post->flags});
            }
        }
    });
}

}  // namespace ndsim::format
