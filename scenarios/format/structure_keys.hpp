// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "scenarios/format/names.hpp"
#include "scenarios/format/presets.hpp"
#include "scenarios/format/structure.hpp"

// The keys of each section of a scenario file that are no parameters.
namespace ndsim::format {

inline constexpr std::array kScenarioKeys{
    Key{"$schema", Shape::text, "the JSON schema that editors check the file against; ndsim does not read it"},
    Key{"about", Shape::text, "what the scenario shows"},
    Key{"hosts", Shape::map, "the hosts by name: at least two, or a single one without a peer", "host", {}, true},
    Key{"switches", Shape::map, "the switches of the network by name", "switch"},
    Key{"links", Shape::map, "the links by name; may be left out with two hosts, or with a single switch", "link"},
    Key{"programs", Shape::lists, "what the software of each host does, in order", "op"},
    Key{"traffic", Shape::map, "generators of messages, by name", "traffic"},
    Key{"dma", Shape::map, "generators of DMA transfers, by name", "dma"},
    Key{"faults", Shape::list, "what goes wrong on purpose", "fault"},
    Key{"expect", Shape::list, "what must hold at the end", "expectation"},
    Key{"outputs", Shape::object, "which files the run writes", "outputs"},
    Key{"target", Shape::texts,
        "the target that `ndsim advise` finds the smallest depths for, such as \"95 % of line rate\""},
    Key{"sweep", Shape::list, "what `ndsim sweep` varies: all combinations of the axes, the last one fastest", "axis"},
};
inline constexpr std::array kHostKeys{
    Key{"preset", Shape::choice, "the preset that parameter values start from; B if left out", {}, kPresetNames},
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
inline constexpr std::array kQpKeys{
    Key{"send_cq", Shape::reference, "completion queue of sends; its own if left out"},
    Key{"receive_cq", Shape::reference, "completion queue of receives; its own if left out"},
    Key{"srq", Shape::reference, "shared receive queue from which it takes receives; its own queue if left out"},
    Key{"connect", Shape::reference,
        "the peer, such as \"B.q0\"; one side is enough, and queue pairs of the same name need none"},
};
inline constexpr std::array kLinkKeys{
    Key{"between", Shape::pair,
        "the two hosts or switches that it joins; may be left out if there are only two hosts and no switch"},
};
inline constexpr std::array kPostKeys{
    Key{"qp", Shape::reference, "the queue pair; q0 if left out"},
    Key{"srq", Shape::reference, "for an srq_receive, which requires it: the shared receive queue"},
    Key{"buffer", Shape::reference,
        "where the message is read from or written to; with neither this nor sgl it has no bytes. For a bind or a "
        "fast_register: the memory to open"},
    Key{"sgl", Shape::list, "scatter/gather entries, instead of buffer, offset and size", "piece"},
    Key{"to", Shape::reference, "for a write: the peer's memory, such as \"B.rx\""},
    Key{"from", Shape::reference, "for a read: the peer's memory, such as \"B.tx\""},
    Key{"invalidates", Shape::reference, "for a send_and_invalidate: the peer's memory whose key is invalidated"},
    Key{"memory", Shape::reference, "for a bind, a fast_register or an invalidate: the object of the host's memory"},
    Key{"allow", Shape::choices, "rights that a bind or a fast_register gives", {}, kAllowNames},
    Key{"flags", Shape::choices, "for all but a receive", {}, kPostFlagNames},
    Key{"as", Shape::name, "label by which expectations name the request"},
};
inline constexpr std::array kPieceKeys{
    Key{"buffer", Shape::reference, "the buffer, or fast-register region", {}, {}, true},
};
inline constexpr std::string_view kCqSentence = "a completion queue: \"q0.send\", \"q0.receive\", or one of cqs";
inline constexpr std::array kPollKeys{Key{"poll", Shape::reference, kCqSentence, {}, {}, true}};
inline constexpr std::array kArmKeys{Key{"arm", Shape::reference, kCqSentence, {}, {}, true}};
inline constexpr std::array kModerateKeys{Key{"moderate", Shape::reference, kCqSentence, {}, {}, true}};
inline constexpr std::array kResizeKeys{Key{"resize", Shape::reference, kCqSentence, {}, {}, true}};
inline constexpr std::array kWaitKeys{
    Key{"wait",
        Shape::reference,
        "a completion queue, one of srqs, or \"q0.disconnect\" for the peer's disconnect",
        {},
        {},
        true}};
inline constexpr std::array kSpinKeys{Key{"spin", Shape::reference, "a buffer of the host", {}, {}, true}};
inline constexpr std::array kModifySrqKeys{Key{"modify_srq", Shape::reference, "one of srqs", {}, {}, true}};
constexpr std::array<Key, 2> connection_keys(std::string_view verb) {
    return {Key{verb, Shape::reference, "the queue pair", {}, {}, true},
            Key{"as", Shape::name, "label by which expectations name its outcome"}};
}
inline constexpr auto kConnectKeys = connection_keys("connect");
inline constexpr auto kAcceptKeys = connection_keys("accept");
inline constexpr auto kRejectKeys = connection_keys("reject");
inline constexpr auto kDisconnectKeys = connection_keys("disconnect");
inline constexpr std::array kListenKeys{Key{"listen", Shape::reference, "the queue pair", {}, {}, true}};
inline constexpr std::array kFlushKeys{Key{"flush", Shape::reference, "the queue pair", {}, {}, true}};
inline constexpr std::array kRepeatKeys{
    Key{"time", Shape::name, "timer that gets the duration of each round"},
    Key{"do", Shape::list, "the operations of a round", "op", {}, true},
};
inline constexpr std::array kTimeKeys{
    Key{"time", Shape::name, "timer that gets the duration", {}, {}, true},
    Key{"do", Shape::list, "the operations that are timed", "op", {}, true},
};
inline constexpr std::array kTrafficKeys{
    Key{"from", Shape::reference, "the sender: \"A.q0\", or \"A\" for its q0", {}, {}, true},
    Key{"to", Shape::reference, "the receiver: \"B.q0\", or \"B\" for its q0", {}, {}, true},
    Key{"size", Shape::sizes, "size of the messages; a list is repeated"},
    Key{"sgl", Shape::size_list, "sizes of the scatter/gather entries of each message; they add up to its size"},
    Key{"weights", Shape::count_list, "for choose weighted: one for each queue pair, from 1 to 1000000"},
    Key{"trace", Shape::text,
        "for arrivals trace: a file with a time on each line; its path is relative to this file's folder"},
};
inline constexpr std::array kDmaKeys{
    Key{"host", Shape::reference, "the host whose DMA engine and memory it uses", {}, {}, true},
};
// The keys of a fault of packets, which names their sender.
constexpr std::array<Key, 3> packet_fault(std::string_view verb) {
    return {Key{verb, Shape::reference, "the host, or the switch, that sends the packets", {}, {}, true},
            Key{"link", Shape::reference, "the link, if there are several"},
            Key{"opcode", Shape::choice, "only packets of this kind", {}, kPacketNames}};
}
inline constexpr auto kDropKeys = packet_fault("drop");
inline constexpr auto kCorruptKeys = packet_fault("corrupt");
inline constexpr auto kDuplicateKeys = packet_fault("duplicate");
inline constexpr auto kDelayKeys = packet_fault("delay");
inline constexpr auto kReorderKeys = packet_fault("reorder");
inline constexpr std::array kDownKeys{Key{"down", Shape::reference, "the link", {}, {}, true}};
inline constexpr std::array kStallKeys{Key{"stall", Shape::reference, "the host", {}, {}, true}};
inline constexpr std::array kFreezeKeys{Key{"freeze", Shape::reference, "the host", {}, {}, true}};
inline constexpr std::array kMetricKeys{
    Key{"metric", Shape::text, "a metric of the result", {}, {}, true},
    Key{"at_least", Shape::bound, "the least value"},
    Key{"at_most", Shape::bound, "the largest value"},
};
inline constexpr std::array kCompletionKeys{
    Key{"completion",
        Shape::reference,
        "a request: host and label; a counted one stands for all of them",
        {},
        {},
        true},
    Key{"status", Shape::choice, "status of the completion; any if left out", {}, kStatusChoices},
};
inline constexpr std::array kOrderKeys{
    Key{"order", Shape::references, "requests whose completions are returned in this order", {}, {}, true},
};
inline constexpr std::array kMemoryKeys{
    Key{"memory", Shape::reference, "a buffer, such as \"B.rx\"", {}, {}, true},
    Key{"equals", Shape::reference, "the buffer that it must be equal to", {}, {}, true},
};
inline constexpr std::array kAxisKeys{
    Key{"vary",
        Shape::texts,
        "the path whose value changes at each step; with several paths, each gets one value",
        {},
        {},
        true},
    Key{"values",
        Shape::steps,
        "the values, or ranges such as \"1..8\", \"0..100+25\" and \"64 B..4096 B*2\"",
        {},
        {},
        true},
};
inline constexpr std::array kOutputsKeys{
    Key{"waves", Shape::flag_or_object, "write waves.vcd", "waves"},
    Key{"packets", Shape::flag_or_object, "write packets.pcapng", "packets"},
    Key{"timeline", Shape::flag_or_object, "write timeline.json, or timeline.json.gz", "timeline"},
};

}  // namespace ndsim::format
