// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/inspect/recorded_run.hpp"
#include "tools/report/timeline_file.hpp"

namespace ndsim::report {

enum class Rung : std::uint8_t { data, invalidate, read, acknowledgement, rnr_nak, nak, management };

// A message on its way between two hosts, or an acknowledgement: its consecutive packets.
struct LadderMessage {
    Rung rung = Rung::data;
    std::string name;     // Send, RNR NAK
    std::string request;  // empty if there is none
    std::string from;
    std::string to;
    Picoseconds begin{};
    Picoseconds last_begin{};  // of its last packet
    Picoseconds first_end{};   // of its first packet
    Picoseconds end{};
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    bool lost = false;          // one packet, which did not arrive
    bool again = false;         // it had been sent before
    std::string invalidates{};  // the key, if it is a SendAndInvalidate

    // Whether it matters to a reader who looks for errors, or for the order of events.
    [[nodiscard]] bool is_notable() const {
        return rung == Rung::invalidate || rung == Rung::rnr_nak || rung == Rung::nak || lost;
    }
};

// A time for which a request of a host was held back: at a fence, or after an RNR NAK.
struct LadderHold {
    std::string host;
    std::string account;
    std::string request;
    Picoseconds begin{};
    Picoseconds end{};
};

// A packet between two hosts, on any cables.
struct LadderPacket {
    std::string opcode;
    std::string says;  // of an acknowledgement
    std::string from;
    std::string to;  // last place reached, a host or a switch
    std::string request;
    std::string queue_pairs;
    std::uint64_t psn = 0;
    std::uint64_t bytes = 0;
    Picoseconds begin{};
    Picoseconds end{};
    bool lost = false;
    std::string invalidates{};  // a key of the receiver's
};

// Joins the packets to messages, in order of their start.
[[nodiscard]] std::vector<LadderMessage> messages_of(const std::vector<LadderPacket>& packets,
                                                     const std::set<std::string>& hosts);

// Ladder: takes the packets between hosts, and the holds of requests, from a timeline.
class Ladder {
public:
    // Events before `start` are left out.
    explicit Ladder(Picoseconds start) : start_(start) {}

    void take(const TimelineEvent& event);
    [[nodiscard]] const std::vector<LadderPacket>& packets() const { return packets_; }
    [[nodiscard]] const std::vector<LadderHold>& holds() const { return holds_; }

private:
    void take_packet(const TimelineEvent& event);

    Picoseconds start_;
    std::vector<LadderPacket> packets_;
    std::map<std::string, std::size_t> places_;  // of packets, by "5 of A"
    std::vector<LadderHold> holds_;
};

inline constexpr std::size_t kMessages = 60;
// The part of a run to show.
struct LadderChoice {
    std::size_t messages = kMessages;
    std::optional<Picoseconds> from;
};

// The messages to show: first, and behind the last.
struct LadderPart {
    std::size_t first = 0;
    std::size_t last = 0;
};
[[nodiscard]] LadderPart choose(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                                const LadderChoice& choice);

// A moment at a host with its own mark: a request ended.
struct LadderEnd {
    std::string host;
    std::string request;  // with its kind and label
    std::string name;     // its label, otherwise its number
    std::string status;
    Picoseconds at{};
};

// The screen that a picture is for.
enum class LadderScreen : std::uint8_t { wide, narrow };

[[nodiscard]] std::string ladder_svg(const std::vector<LadderMessage>& messages, const std::vector<LadderHold>& holds,
                                     const std::vector<LadderEnd>& ends, LadderScreen screen);

// The diagram, and which part of the whole it shows. HTML.
[[nodiscard]] std::string ladder_html(const Ladder& ladder, const inspect::RecordedRun& run,
                                      const LadderChoice& choice);

}  // namespace ndsim::report
