// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/dma/dma_generator_params.hpp"
#include "models/nic/nic_params.hpp"
#include "models/proto/status_profile.hpp"
#include "models/proto/wqe.hpp"
#include "models/switch/switch_params.hpp"
#include "scenarios/format/axis.hpp"
#include "scenarios/format/expectation.hpp"
#include "scenarios/format/fault.hpp"
#include "scenarios/format/program.hpp"
#include "scenarios/format/target.hpp"
#include "scenarios/format/traffic.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/config/json.hpp"

namespace ndsim {

// A scenario as the engine runs it: everything named, defaulted and checked. The order is that of the file.

// A buffer's contents before the programs start: zeros, a running 32-bit counter, or random bytes of the seed.
enum class Fill : std::uint8_t { zero, counter, random };
inline constexpr std::array<std::string_view, 3> kFillNames{"zero", "counter", "random"};

struct Buffer {
    std::string name;
    Bytes size = 64_KiB;
    Fill fill = Fill::zero;

    template <class Field>
    void fields(Field&& field) {
        field("size", size, between(1_B, Bytes{1ULL << 32U}), "bytes of registered memory", Mark::documented);
        field("fill", fill, kFillNames, "contents at the start", Mark::documented);
    }
};

// Memory that only requests define: a window onto a buffer, or a region over pages of a buffer.
enum class MemoryKind : std::uint8_t { window, fast_register };
inline constexpr std::array<std::string_view, 2> kMemoryKindNames{"window", "fast_register"};

// A window or a fast-register region.
struct MemoryObject {
    std::string name;
    MemoryKind kind{};
    std::uint32_t pages = kFastRegisterPages;
    bool remote_access = true;

    template <class Field>
    void fields(Field&& field) {
        field("kind", kind, kMemoryKindNames, "the kind of object", Mark::documented);
        field("pages", pages, between(1U, kFastRegisterPages),
              "for fast_register: the most pages that a request may name", Mark::documented);
        field("remote_access", remote_access, "for fast_register: whether requests may give rights to peers",
              Mark::documented);
    }
};

struct CompletionQueue {
    std::string name;
    std::uint32_t depth = 1024;
    InterruptModeration interrupt_moderation;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 4'194'303U), "completions that the queue holds", Mark::documented);
        field("interrupt_moderation", interrupt_moderation, "how long its interrupts may wait");
    }
};

struct SharedReceiveQueue {
    std::string name;
    std::uint32_t depth = 1024;
    std::uint32_t threshold = 0;
    std::uint32_t max_sge = 4;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 1U << 20U), "receives that the queue holds", Mark::documented);
        field("threshold", threshold, between(0U, 1U << 20U),
              "notifies once when fewer receives than this are left, after there have been as many; 0: not armed",
              Mark::documented);
        field("max_sge", max_sge, between(0U, 63U), "scatter/gather entries of one receive", Mark::documented);
    }
};

// A queue pair. It has its own completion queue for each direction ("q0.send", "q0.receive") unless it names others; a
// socket's has one for both ("q0").
struct QueuePair {
    std::string name;
    DepthParams sq;
    DepthParams rq;
    std::uint32_t max_sge = 4;
    std::uint32_t inline_max = 220;
    std::uint32_t outbound_reads = 16;
    std::uint32_t inbound_reads = 16;
    std::string send_cq;       // always set: "q0.send" if it is its own
    std::string receive_cq;    // "q0.receive"
    std::string srq;           // source of its receives; empty: its own receive queue
    Endpoint connect;          // B.q0; set on one side, the active one
    bool by_programs = false;  // a program at either end makes the connection, not set-up
    bool is_implied = false;   // the file names it without writing it down

    template <class Field>
    void fields(Field&& field) {
        field("sq", sq, "the send queue");
        field("rq", rq, "the receive queue");
        field("max_sge", max_sge, between(0U, 63U), "scatter/gather entries of one request", Mark::documented);
        field("inline_max", inline_max, between(0U, 1000U), "bytes that a request may carry inline", Mark::documented);
        field("outbound_reads", outbound_reads, between(0U, 16U),
              "Reads that it may have outstanding (ORD), unless the peer allows fewer", Mark::documented);
        field("inbound_reads", inbound_reads, between(0U, 16U),
              "Reads that the peer may have outstanding (IRD), unless it wants fewer", Mark::documented);
    }
};

// The programming interface through which a host's program uses its NIC.
enum class Api : std::uint8_t { ndk, ndspi1, ndspi2, wsd };
inline constexpr std::array<std::string_view, 4> kApiNames{"ndk", "ndspi1", "ndspi2", "wsd"};

// A host with its hardware, its queues and its program.
struct Host {
    std::string name;
    std::string preset = "B";
    Api api = Api::ndk;
    NodeParams node;
    std::vector<Buffer> buffers;
    std::vector<MemoryObject> memory;
    std::vector<CompletionQueue> cqs;  // named ones; those of queue pairs are not listed
    std::vector<SharedReceiveQueue> srqs;
    std::vector<QueuePair> qps;
    std::optional<Program> program;
};

// The depth of a host's completion queue: as declared, or the default.
[[nodiscard]] inline std::uint32_t cq_depth(const Host& host, std::string_view name) {
    const auto declared = std::ranges::find(host.cqs, name, &CompletionQueue::name);
    return declared == host.cqs.end() ? host.node.nic.queues.cq.depth : declared->depth;
}

// A switch of the network, with a port for each of its links.
struct NetworkSwitch {
    std::string name;
    SwitchParams params;
};

// A link between two hosts or switches.
struct Link {
    std::string name;
    std::array<std::string, 2> between;  // hosts or switches
    std::string preset = "B";            // of the first host at its ends
    LinkParams params;

    [[nodiscard]] bool joins(const std::string& end) const { return between[0] == end || between[1] == end; }
};

// A generator of DMA transfers on a host: no software, no messages.
struct DmaLoad {
    Position at;
    std::string name;
    std::string host;
    DmaGeneratorParams params;
};

// How steady-state figures are measured.
inline constexpr std::array<std::string_view, 1> kAuto{"auto"};

// When messages are measured.
struct Measure {
    std::optional<std::uint64_t> warmup;  // none: auto
    std::uint64_t window = 0;             // messages to measure; 0: all after the warm-up
    bool drain = true;

    template <class Field>
    void fields(Field&& field) {
        const auto range = between(std::uint64_t{0}, std::uint64_t{1'000'000'000'000'000});
        field("warmup", warmup, kAuto, range,
              "messages or transfers of each generator before measuring begins; auto: a tenth, at most 10 000",
              Mark::documented);
        field("window", window, range, "messages or transfers of each generator that are measured; 0: all the rest",
              Mark::documented);
        field("drain", drain,
              "the run continues until every generator has completed its count; false: it ends with the last window",
              Mark::documented);
    }
};

struct Limits {
    Picoseconds time = std::chrono::seconds{10};
    std::uint64_t items = 0;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("time", time, between(Picoseconds{1}, hours{24}), "simulated time after which a run is stopped",
              Mark::documented);
        field("items", items, between(std::uint64_t{0}, UINT64_MAX),
              "work items after which a run is stopped; 0: no limit", Mark::documented);
    }
};

// What is recorded of a part of a run.
struct Recording {
    bool enabled = false;
    Picoseconds start{};
    Picoseconds stop = std::chrono::hours{24};
    Bytes max_size{1ULL << 30U};

    // The sentences of a kind of recording.
    struct Sentences {
        const char* start;
        const char* stop;
        const char* max_size;
    };
    template <class Field>
    void fields(Field&& field, const Sentences& sentences) {
        using std::chrono::hours;
        field("start", start, between(Picoseconds{0}, hours{24}), sentences.start, Mark::documented);
        field("stop", stop, between(Picoseconds{1}, hours{24}), sentences.stop, Mark::documented);
        field("max_size", max_size, between(64_KiB, Bytes{1ULL << 40U}), sentences.max_size, Mark::documented);
    }
};
// The waveform to record.
struct WaveOutput : Recording {
    template <class Field>
    void fields(Field&& field) {
        Recording::fields(field, {"simulated time at which the waveform begins", "simulated time at which it ends",
                                  "recording ends when the file has this size"});
    }
};
// The packets to record.
struct PacketOutput : Recording {
    template <class Field>
    void fields(Field&& field) {
        Recording::fields(
            field, {"simulated time from which packets are recorded", "simulated time until which packets are recorded",
                    "recording ends when the file has this size"});
    }
};
// The timeline to record.
struct TimelineOutput : Recording {
    bool compressed = false;

    [[nodiscard]] const char* file() const { return compressed ? "timeline.json.gz" : "timeline.json"; }

    template <class Field>
    void fields(Field&& field) {
        Recording::fields(field, {"simulated time at which the timeline begins", "simulated time at which it ends",
                                  "recording ends when the file, before compression, has this size"});
        field("compressed", compressed, "write timeline.json.gz, compressed, instead of timeline.json",
              Mark::documented);
    }
};
struct Outputs {
    bool completions = true;
    WaveOutput waves;
    PacketOutput packets;
    TimelineOutput timeline;

    template <class Field>
    void fields(Field&& field) {
        field("completions", completions, "write completions.csv, one line for each request", Mark::documented);
    }
};

// The text that a scenario was read from, for result.json.
struct ScenarioSource {
    std::vector<std::string> overrides;
    JsonNode written;  // the file's tree with overrides and implied parts
};

struct Scenario {
    std::string file;
    std::shared_ptr<const ScenarioSource> source;  // from load_scenario()
    std::string about;
    std::uint64_t seed = 1;
    StatusProfile profile = StatusProfile::documented;
    PayloadMode payload = PayloadMode::bytes;
    std::vector<Host> hosts;
    std::vector<NetworkSwitch> switches;
    std::vector<Link> links;
    std::vector<Traffic> traffic;
    std::vector<DmaLoad> dma;
    std::vector<Fault> faults;
    Measure measure;
    Limits limits;
    std::vector<Expectation> expect;
    Outputs outputs;
    std::vector<Axis> sweep;     // the axes of `ndsim sweep`
    std::vector<Target> target;  // the goals of `ndsim advise`

    [[nodiscard]] std::vector<std::string> host_names() const {
        std::vector<std::string> names;
        for (const Host& host : hosts) {
            names.push_back(host.name);
        }
        return names;
    }

    template <class Field>
    void fields(Field&& field) {
        field("seed", seed, between(std::uint64_t{0}, UINT64_MAX), "seed of all random choices", Mark::documented);
        field("profile", profile, kStatusProfileNames, "which source applies where sources disagree", Mark::documented);
        field("payload", payload, kPayloadModeNames, "whether messages carry bytes, or only their timing is simulated",
              Mark::documented);
        field("measure", measure, "how steady-state figures are taken");
        field("limits", limits, "what stops a run");
    }
};

}  // namespace ndsim
