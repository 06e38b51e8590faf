// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/structure.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "scenarios/format/names.hpp"
#include "scenarios/format/presets.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/written.hpp"

namespace ndsim::format {

namespace {

template <class S>
void show(const ParamVisitor& visitor) {
    S defaults;
    visitor(params_of(defaults, ""));
}

constexpr std::array kScenarioKeys{
    Key{"about", Shape::text, "what the scenario shows"},
    Key{"hosts", Shape::map, "the hosts by name, two at least, or one with dma alone", "host", {}, true},
    Key{"links", Shape::map, "the links by name; with two hosts it may be left out", "link"},
    Key{"programs", Shape::lists, "what the software of each host does, in order", "op"},
    Key{"traffic", Shape::map, "generators of messages, by name", "traffic"},
    Key{"dma", Shape::map, "generators of DMA transfers, by name", "dma"},
    Key{"faults", Shape::list, "what goes wrong on purpose", "fault"},
    Key{"expect", Shape::list, "what must hold at the end", "expectation"},
    Key{"outputs", Shape::object, "which files the run writes", "outputs"},
};
constexpr std::array kHostKeys{
    Key{"preset", Shape::choice, "the parameter values to begin with; B if left out", {}, kPresetNames},
    Key{"api",
        Shape::choice,
        "the interface through which the host's program uses its NIC; ndk if left out",
        {},
        kApiNames},
    Key{"buffers", Shape::map, "registered memory of programs, by name", "buffer"},
    Key{"memory", Shape::map, "memory windows and fast-register regions of programs, by name", "memory_object"},
    Key{"cqs", Shape::map, "completion queues that queue pairs share, by name", "cq"},
    Key{"srqs", Shape::map, "shared receive queues, by name", "srq"},
    Key{"qps", Shape::map, "queue pairs by name; if left out, those that traffic and the program name", "qp"},
};
constexpr std::array kQpKeys{
    Key{"send_cq", Shape::reference, "completion queue of sends; its own if left out"},
    Key{"receive_cq", Shape::reference, "completion queue of receives; its own if left out"},
    Key{"srq", Shape::reference, "shared receive queue that its receives come from; its own queue if left out"},
    Key{"connect", Shape::reference, "the peer, such as \"B.q0\"; one side is enough, and equal names find each other"},
};
constexpr std::array kLinkKeys{
    Key{"between", Shape::pair, "the two hosts; may be left out if there are only two"},
};
constexpr std::array kPostKeys{
    Key{"qp", Shape::reference, "the queue pair; q0 if left out"},
    Key{"srq", Shape::reference, "of an srq_receive, which needs it: the shared receive queue"},
    Key{"buffer", Shape::reference,
        "where the message is, or is put; with neither this nor sgl it has no bytes. Of a bind and a fast_register: "
        "what is opened"},
    Key{"sgl", Shape::list, "scatter/gather entries, instead of buffer, offset and size", "piece"},
    Key{"to", Shape::reference, "of a write: the peer's memory, such as \"B.rx\""},
    Key{"from", Shape::reference, "of a read: the peer's memory, likewise"},
    Key{"invalidates", Shape::reference, "of a send_and_invalidate: the peer's memory whose key is to die"},
    Key{"memory", Shape::reference, "of a bind, a fast_register or an invalidate: what of the host's memory"},
    Key{"allow", Shape::choices, "rights that a bind or a fast_register gives", {}, kAllowNames},
    Key{"flags", Shape::choices, "of all but a receive", {}, kPostFlagNames},
    Key{"as", Shape::name, "label: how expectations call the request"},
};
constexpr std::array kPieceKeys{
    Key{"buffer", Shape::reference, "the buffer, or fast-register region", {}, {}, true},
};
constexpr std::string_view kCqSentence = "a completion queue: \"q0.send\", \"q0.receive\", or one of cqs";
constexpr std::array kPollKeys{Key{"poll", Shape::reference, kCqSentence, {}, {}, true}};
constexpr std::array kArmKeys{Key{"arm", Shape::reference, kCqSentence, {}, {}, true}};
constexpr std::array kModerateKeys{Key{"moderate", Shape::reference, kCqSentence, {}, {}, true}};
constexpr std::array kResizeKeys{Key{"resize", Shape::reference, kCqSentence, {}, {}, true}};
constexpr std::array kWaitKeys{Key{"wait",
                                   Shape::reference,
                                   "a completion queue, one of srqs, or \"q0.disconnect\" for the peer's disconnect",
                                   {},
                                   {},
                                   true}};
constexpr std::array kSpinKeys{Key{"spin", Shape::reference, "a buffer of the host", {}, {}, true}};
constexpr std::array kModifySrqKeys{Key{"modify_srq", Shape::reference, "one of srqs", {}, {}, true}};
constexpr std::array<Key, 2> connection_keys(std::string_view verb) {
    return {Key{verb, Shape::reference, "the queue pair", {}, {}, true},
            Key{"as", Shape::name, "label: how expectations call its outcome"}};
}
constexpr auto kConnectKeys = connection_keys("connect");
constexpr auto kAcceptKeys = connection_keys("accept");
constexpr auto kRejectKeys = connection_keys("reject");
constexpr auto kDisconnectKeys = connection_keys("disconnect");
constexpr std::array kListenKeys{Key{"listen", Shape::reference, "the queue pair", {}, {}, true}};
constexpr std::array kFlushKeys{Key{"flush", Shape::reference, "the queue pair", {}, {}, true}};
constexpr std::array kRepeatKeys{
    Key{"time", Shape::name, "timer that gets the duration of each round"},
    Key{"do", Shape::list, "the operations of a round", "op", {}, true},
};
constexpr std::array kTimeKeys{
    Key{"time", Shape::name, "timer that gets the duration", {}, {}, true},
    Key{"do", Shape::list, "the operations that are timed", "op", {}, true},
};
constexpr std::array kTrafficKeys{
    Key{"from", Shape::reference, "the sender: \"A.q0\", or \"A\" for its q0", {}, {}, true},
    Key{"to", Shape::reference, "the receiver, likewise", {}, {}, true},
    Key{"size", Shape::sizes, "of the messages; a list is gone through again and again"},
    Key{"sgl", Shape::size_list, "sizes of the scatter/gather entries of each message; they add up to its size"},
    Key{"trace", Shape::text, "of arrivals trace: a file of times, one in a line, from this file's folder on"},
};
constexpr std::array kDmaKeys{
    Key{"host", Shape::reference, "the host whose DMA engine and memory it uses", {}, {}, true},
};
// A fault of packets names the host that sends them.
constexpr std::array<Key, 3> packet_fault(std::string_view verb) {
    return {Key{verb, Shape::reference, "the host that sends the packets", {}, {}, true},
            Key{"link", Shape::reference, "the link, if the host has several"},
            Key{"opcode", Shape::choice, "only packets of this kind", {}, kPacketNames}};
}
constexpr auto kDropKeys = packet_fault("drop");
constexpr auto kCorruptKeys = packet_fault("corrupt");
constexpr auto kDuplicateKeys = packet_fault("duplicate");
constexpr auto kDelayKeys = packet_fault("delay");
constexpr auto kReorderKeys = packet_fault("reorder");
constexpr std::array kDownKeys{Key{"down", Shape::reference, "the link", {}, {}, true}};
constexpr std::array kStallKeys{Key{"stall", Shape::reference, "the host", {}, {}, true}};
constexpr std::array kFreezeKeys{Key{"freeze", Shape::reference, "the host", {}, {}, true}};
constexpr std::array kMetricKeys{
    Key{"metric", Shape::text, "a metric of the result", {}, {}, true},
    Key{"at_least", Shape::bound, "the least value"},
    Key{"at_most", Shape::bound, "the largest value"},
};
constexpr std::array kCompletionKeys{
    Key{"completion",
        Shape::reference,
        "a request: host and label; a counted one stands for all of them",
        {},
        {},
        true},
    Key{"status", Shape::choice, "of the completion; any if left out", {}, kStatusChoices},
};
constexpr std::array kOrderKeys{
    Key{"order", Shape::references, "requests whose completions are returned in this order", {}, {}, true},
};
constexpr std::array kMemoryKeys{
    Key{"memory", Shape::reference, "a buffer, such as \"B.rx\"", {}, {}, true},
    Key{"equals", Shape::reference, "the buffer that it must be equal to", {}, {}, true},
};
constexpr std::array kOutputsKeys{
    Key{"waves", Shape::flag_or_object, "write waves.vcd", "waves"},
    Key{"packets", Shape::flag_or_object, "write packets.pcapng", "packets"},
};

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
    Section{"moderate", "programs.A[0]", "changes the moderation of interrupts; without a limit it ends", kModerateKeys,
            show<ModerateOp>, "moderate"},
    Section{"resize", "programs.A[0]", "gives a completion queue another depth", kResizeKeys, show<ResizeOp>, "resize"},
    Section{"connect", "programs.A[0]", "connects to the peer, which must be listening", kConnectKeys, nullptr,
            "connect"},
    Section{"listen", "programs.A[0]", "lets the peer connect; who does is kept for an accept or a reject", kListenKeys,
            nullptr, "listen"},
    Section{"accept", "programs.A[0]", "listens, and accepts the peer's next connect", kAcceptKeys, nullptr, "accept"},
    Section{"reject", "programs.A[0]", "listens, and rejects the peer's next connect", kRejectKeys, nullptr, "reject"},
    Section{"disconnect", "programs.A[0]", "ends a connection, which the peer does, too", kDisconnectKeys, nullptr,
            "disconnect"},
    Section{"flush", "programs.A[0]", "cancels everything outstanding, and whatever is posted from now on", kFlushKeys,
            nullptr, "flush"},
    Section{"sleep", "programs.A[0]", "does nothing for a time", {}, show<SleepOp>, "sleep"},
    Section{"repeat", "programs.A[0]", "does operations again and again", kRepeatKeys, show<RepeatOp>, "repeat"},
    Section{"time", "programs.A[0]", "times operations", kTimeKeys, nullptr, "time"},
    Section{"traffic", "traffic.stream", "keeps a number of messages outstanding from one queue pair to another",
            kTrafficKeys, show<Traffic>},
    Section{"dma", "dma.r64", "drives the DMA engine of a NIC by itself: no software, no messages", kDmaKeys,
            show<DmaGeneratorParams>},
    Section{"fault", "faults[0]", "something that goes wrong", {}, nullptr, {}, kFaultKindNames},
    Section{"drop", "faults[0]", "packets are lost", kDropKeys, show<FaultRule>, "drop"},
    Section{"corrupt", "faults[0]", "packets arrive with a wrong ICRC, and are dropped there", kCorruptKeys,
            show<FaultRule>, "corrupt"},
    Section{"duplicate", "faults[0]", "packets arrive twice", kDuplicateKeys, show<FaultRule>, "duplicate"},
    Section{"delay", "faults[0]", "packets arrive later", kDelayKeys, show<FaultRule>, "delay"},
    Section{"reorder", "faults[0]", "packets are overtaken by the next one", kReorderKeys, show<FaultRule>, "reorder"},
    Section{"down", "faults[0]", "a link loses everything, both ways", kDownKeys, show<Outage>, "down"},
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
    Section{"packets", "outputs.packets", "the packets at every port", {}, show<PacketOutput>},
};

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

const Key* find_key(const Section& in, std::string_view name) {
    const auto key = std::find_if(in.keys.begin(), in.keys.end(), [&](const Key& k) { return k.name == name; });
    return key == in.keys.end() ? nullptr : &*key;
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
    return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || c == '_' || (c >= '0' && c <= '9');
    });
}

}  // namespace ndsim::format
