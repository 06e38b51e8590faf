// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

Checker::Checker(const JsonNode& root, Problems& problems) : root_(root), problems_(problems) {
    for (const Problem& problem : problems.sorted()) {
        unsound_.push_back(problem.path);
    }
}

void Checker::wrong(const std::string& path, std::string message, std::string hint) {
    problems_.add(place_of(root_, path), path, std::move(message), std::move(hint));
}

void Checker::missing(const std::string& path, std::string_view kind, std::string_view name,
                      const std::vector<std::string>& known, std::string hint) {
    Absence absence = no_such(kind, name, known);
    wrong(path, std::move(absence.message), hint.empty() ? std::move(absence.hint) : std::move(hint));
    unsound_.push_back(path);
}

bool Checker::is_sound(std::string_view path) const {
    return std::none_of(unsound_.begin(), unsound_.end(), [&](const std::string& p) {
        return p.starts_with(path) && (p.size() == path.size() || p[path.size()] == '.' || p[path.size()] == '[');
    });
}

bool Checker::is_said(std::string_view path) const {
    return find_path(root_, path) != nullptr;
}

namespace {

void check_queue_pairs(const Host& host, Checker& check) {
    const QueueParams& limits = host.node.nic.queues;
    for (const QueuePair& qp : host.qps) {
        const std::string path = "hosts." + host.name + ".qps." + qp.name;
        if (qp.sq.depth > host.node.adapter.max_initiator_depth) {
            check.wrong(path + ".sq.depth", std::to_string(qp.sq.depth) +
                                                " is more than adapter.max_initiator_depth of the host, " +
                                                std::to_string(host.node.adapter.max_initiator_depth));
        }
        if (qp.max_sge > limits.max_sge) {
            check.wrong(path + ".max_sge", std::to_string(qp.max_sge) + " is more than nic.max_sge of the host, " +
                                               std::to_string(limits.max_sge));
        }
        if (qp.inline_max > limits.inline_max) {
            check.wrong(path + ".inline_max", std::to_string(qp.inline_max) +
                                                  " is more than nic.inline_max of the host, " +
                                                  std::to_string(limits.inline_max));
        }
        if (host.api == Api::wsd) {
            continue;  // a socket can name no completion queue
        }
        for (const auto& [key, cq] : {std::pair{".send_cq", &qp.send_cq}, std::pair{".receive_cq", &qp.receive_cq}}) {
            std::vector<std::string> known = names_of(host.cqs);
            known.insert(known.end(), {qp.name + ".send", qp.name + ".receive"});
            if (std::find(known.begin(), known.end(), *cq) == known.end()) {
                check.missing(path + key, "completion queue", *cq, known);
            }
        }
    }
}

void check_completion_queues(const Host& host, Checker& check) {
    for (const CompletionQueue& cq : host.cqs) {
        const std::string path = "hosts." + host.name + ".cqs." + cq.name + ".interrupt_moderation";
        const InterruptModeration& moderation = cq.interrupt_moderation;
        if (moderation.is_on() && !host.node.nic.queues.cq.can_moderate) {
            check.wrong(path, "the adapter does not offer moderation", "nic.cq.can_moderate is false");
        } else if (moderation.interval == Picoseconds{} && moderation.count > cq.depth) {
            check.wrong(
                path + ".count",
                std::to_string(moderation.count) + " are more than the queue holds, " + std::to_string(cq.depth),
                "without an interval, nothing would end the wait");
        }
        check_moderation(moderation, path, check);
    }
}

void check_memory(const Host& host, Checker& check) {
    for (const MemoryObject& object : host.memory) {
        const std::string path = "hosts." + host.name + ".memory." + object.name;
        if (find_named(host.buffers, object.name) != nullptr) {
            check.wrong(path, "a buffer of the host has this name already");
        }
        for (const char* const key : {".pages", ".remote_access"}) {
            if (object.kind == MemoryKind::window && check.is_said(path + key)) {
                check.wrong(path + key, "only a fast_register object has this",
                            "a window takes it from its buffer and its bind");
            }
        }
    }
}

// Where no generator does more than the warm-up.
void check_measure(const Scenario& scenario, Checker& check) {
    const std::uint64_t warmup = scenario.measure.warmup.value_or(0);
    std::uint64_t most = 0;
    for (const Traffic& traffic : scenario.traffic) {
        most = std::max(most, traffic.count);
    }
    for (const DmaLoad& load : scenario.dma) {
        most = std::max(most, load.params.count);
    }
    if (most > 0 && warmup >= most) {
        check.wrong("measure.warmup",
                    "a warm-up of " + std::to_string(warmup) +
                        " leaves nothing to measure: no generator does more than " + std::to_string(most),
                    "\"auto\" is a tenth of each one's count");
    }
}

}  // namespace

template <class Output>
void check_window(const Output& output, const std::string& path, Checker& check) {
    if (output.stop <= output.start && check.is_sound(path)) {
        check.wrong(path + ".stop", to_text(output.stop) + " is not after the start, " + to_text(output.start));
    }
}

void check_moderation(const InterruptModeration& moderation, const std::string& path, Checker& check) {
    if (moderation.interval % std::chrono::microseconds{1} != Picoseconds{}) {
        check.wrong(path + ".interval", "expected whole microseconds, got " + to_text(moderation.interval));
    }
}

void check_parameters(const Scenario& scenario, Checker& check) {
    for (const Host& host : scenario.hosts) {
        const std::string path = "hosts." + host.name;
        check_queue_pairs(host, check);
        check_completion_queues(host, check);
        check_memory(host, check);
    }
    check_measure(scenario, check);
    check_window(scenario.outputs.waves, "outputs.waves", check);
    check_window(scenario.outputs.packets, "outputs.packets", check);
    check_window(scenario.outputs.timeline, "outputs.timeline", check);
}

}  // namespace ndsim::format
