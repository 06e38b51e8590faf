// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/structure.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/format/structure_keys.hpp"
#include "scenarios/format/written.hpp"

namespace ndsim::format {

namespace {

template <class S>
void show(const ParamVisitor& visitor) {
    S defaults;
    visitor(params_of(defaults, ""));
}

constexpr std::array<std::string_view, 17> kOps{"post",       "poll",       "arm",     "wait",   "spin",   "moderate",
                                                "resize",     "modify_srq", "connect", "listen", "accept", "reject",
                                                "disconnect", "flush",      "sleep",   "repeat", "time"};
constexpr std::array<std::string_view, 4> kExpectations{"metric", "completion", "order", "memory"};

constexpr std::array kSections{
    Section{"scenario", "", "a scenario", kScenarioKeys, show<Scenario>},
    Section{"host", "hosts.A", "a host and its NIC", kHostKeys, show<NodeParams>},
    Section{"buffer", "hosts.A.buffers.tx", "a buffer", {}, show<Buffer>},
    Section{"memory_object", "hosts.A.memory.w0", "a memory window or a fast-register region", {}, show<MemoryObject>},
    Section{"cq", "hosts.A.cqs.shared", "a completion queue", {}, show<CompletionQueue>},
    Section{"srq", "hosts.A.srqs.s0", "a shared receive queue", {}, show<SharedReceiveQueue>},
    Section{"qp", "hosts.A.qps.q0", "a queue pair", kQpKeys, show<QueuePair>},
    Section{"switch", "switches.s0", "a switch of the network; it has no congestion control", {}, show<SwitchParams>},
    Section{"link", "links.l0", "a link; both directions are alike", kLinkKeys, show<LinkParams>},
    Section{"op", "programs.A[0]", "an operation", {}, nullptr, {}, kOps},
    Section{"post", "programs.A[0]", "posts a request", kPostKeys, show<WrittenPost>, "post"},
    Section{"piece", "programs.A[0].sgl[0]", "a scatter/gather entry", kPieceKeys, show<Piece>},
    Section{"poll", "programs.A[0]", "polls until completions have come", kPollKeys, show<PollOp>, "poll"},
    Section{"arm", "programs.A[0]", "asks for a notification", kArmKeys, show<ArmOp>, "arm"},
    Section{"wait", "programs.A[0]", "blocks until the notification", kWaitKeys, nullptr, "wait"},
    Section{"spin", "programs.A[0]", "spins until the NIC has written to the last byte of a piece of memory", kSpinKeys,
            show<SpinOp>, "spin"},
    Section{"modify_srq", "programs.A[0]", "changes a shared receive queue", kModifySrqKeys, show<ModifySrqOp>,
            "modify_srq"},
    Section{"moderate", "programs.A[0]", "changes the moderation of interrupts; without a limit, moderation ends",
            kModerateKeys, show<ModerateOp>, "moderate"},
    Section{"resize", "programs.A[0]", "changes the depth of a completion queue", kResizeKeys, show<ResizeOp>,
            "resize"},
    Section{"connect", "programs.A[0]", "connects to the peer, which must be listening", kConnectKeys, nullptr,
            "connect"},
    Section{"listen", "programs.A[0]", "lets the peer connect; its connect is kept for an accept or a reject",
            kListenKeys, nullptr, "listen"},
    Section{"accept", "programs.A[0]", "listens, and accepts the peer's next connect", kAcceptKeys, nullptr, "accept"},
    Section{"reject", "programs.A[0]", "listens, and rejects the peer's next connect", kRejectKeys, nullptr, "reject"},
    Section{"disconnect", "programs.A[0]", "ends a connection, and waits until the peer has ended it, too",
            kDisconnectKeys, nullptr, "disconnect"},
    Section{"flush", "programs.A[0]", "cancels all outstanding requests, and all that are posted later", kFlushKeys,
            nullptr, "flush"},
    Section{"sleep", "programs.A[0]", "does nothing for a time", {}, show<SleepOp>, "sleep"},
    Section{"repeat", "programs.A[0]", "repeats operations", kRepeatKeys, show<RepeatOp>, "repeat"},
    Section{"time", "programs.A[0]", "times operations", kTimeKeys, nullptr, "time"},
    Section{"traffic", "traffic.stream", "keeps a number of messages outstanding from one queue pair to another",
            kTrafficKeys, show<Traffic>},
    Section{"dma", "dma.r64", "drives the DMA engine of a NIC directly, without software or messages", kDmaKeys,
            show<DmaGeneratorParams>},
    Section{"fault", "faults[0]", "something that goes wrong", {}, nullptr, {}, kFaultKindNames},
    Section{"drop", "faults[0]", "packets are lost", kDropKeys, show<FaultRule>, "drop"},
    Section{"corrupt", "faults[0]", "packets arrive with a wrong ICRC, and are dropped there", kCorruptKeys,
            show<FaultRule>, "corrupt"},
    Section{"duplicate", "faults[0]", "packets arrive twice", kDuplicateKeys, show<FaultRule>, "duplicate"},
    Section{"delay", "faults[0]", "packets arrive later", kDelayKeys, show<FaultRule>, "delay"},
    Section{"reorder", "faults[0]", "packets are overtaken by the next one", kReorderKeys, show<FaultRule>, "reorder"},
    Section{"down", "faults[0]", "a link loses all packets, in both directions", kDownKeys, show<Outage>, "down"},
    Section{"stall", "faults[0]", "nothing moves on the PCIe link of a host", kStallKeys, show<Outage>, "stall"},
    Section{"freeze", "faults[0]", "the software of a host does nothing", kFreezeKeys, show<Outage>, "freeze"},
    Section{"expectation", "expect[0]", "something that must hold at the end", {}, nullptr, {}, kExpectations},
    Section{"metric", "expect[0]", "bounds of a metric", kMetricKeys, nullptr, "metric"},
    Section{"completion", "expect[0]", "how a request completes", kCompletionKeys, show<WrittenCompletion>,
            "completion"},
    Section{"order", "expect[0]", "the order of completions", kOrderKeys, nullptr, "order"},
    Section{"memory", "expect[0]", "what a buffer holds", kMemoryKeys, show<MemoryExpectation>, "memory"},
    Section{"outputs", "outputs", "which files the run writes", kOutputsKeys, show<Outputs>},
    Section{"waves", "outputs.waves", "the waveform", {}, show<WaveOutput>},
    Section{"axis", "sweep[0]", "one dimension of a sweep", kAxisKeys},
    Section{"packets", "outputs.packets", "the packets at every port", {}, show<PacketOutput>},
    Section{"timeline", "outputs.timeline", "the timeline for trace viewers", {}, show<TimelineOutput>},
};

// A default that is not the struct's value.
struct OtherDefault {
    std::string_view section;
    std::string_view path;
    std::string_view text;
};
constexpr std::array kOtherDefaults{
    OtherDefault{"cq", "depth", "nic.cq.depth"},
    OtherDefault{"srq", "depth", "nic.srq.depth"},
    OtherDefault{"qp", "sq.depth", "nic.sq.depth"},
    OtherDefault{"qp", "rq.depth", "nic.rq.depth"},
    OtherDefault{"qp", "inline_max", "nic.inline_max"},
    OtherDefault{"post", "post", "-"},
    OtherDefault{"post", "size", "the rest"},
    OtherDefault{"piece", "size", "the rest"},
    OtherDefault{"spin", "size", "the rest"},
    OtherDefault{"sleep", "sleep", "-"},
    OtherDefault{"repeat", "repeat", "-"},
    OtherDefault{"completion", "bytes", "any"},
    OtherDefault{"completion", "within", "any"},
};

}  // namespace

std::span<const Section> sections() {
    return kSections;
}

const Section& section(std::string_view name) {
    const auto found =
        std::find_if(kSections.begin(), kSections.end(), [&](const Section& s) { return s.name == name; });
    if (found == kSections.end()) {
        throw std::logic_error("no such section: " + std::string(name));
    }
    return *found;
}

const Section* variant_of(const Section& of, const JsonNode& object) {
    if (of.variants.empty()) {
        return &of;
    }
    for (const std::string_view name : of.variants) {
        const Section& variant = section(name);
        if (object.find(variant.verb) != nullptr) {
            return &variant;
        }
    }
    return nullptr;
}

std::vector<std::string_view> verbs_of(const Section& of) {
    std::vector<std::string_view> verbs;
    for (const std::string_view name : of.variants) {
        verbs.push_back(section(name).verb);
    }
    return verbs;
}

std::optional<std::string_view> other_default(const Section& of, const Param& param) {
    for (const OtherDefault& each : kOtherDefaults) {
        if (each.section == of.name && each.path == param.path()) {
            return each.text;
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> key_names(const Section& of) {
    std::vector<std::string_view> names;
    for (const Key& key : of.keys) {
        names.push_back(key.name);
    }
    return names;
}

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && text.size() <= kLongestName && letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); });
}

}  // namespace ndsim::format
