// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "tools/report/ladder.hpp"

namespace ndsim::report {

namespace {

constexpr std::uint64_t kPsnMask = 0xFF'FFFF;

// The name of packets whose opcode begins like this.
struct Kind {
    std::string_view begins;
    Rung rung;
    std::string_view name;
    bool is_request;  // it has a PSN of its sender's
};
constexpr std::array kKinds{
    Kind{"SEND_", Rung::data, "Send", true},          Kind{"WRITE_", Rung::data, "Write", true},
    Kind{"READ_REQUEST", Rung::read, "Read", true},   Kind{"READ_RESP", Rung::data, "Read data", false},
    Kind{"ACK", Rung::acknowledgement, "ACK", false}, Kind{"UD_", Rung::management, "management", false}};

const Kind& kind_of(std::string_view opcode) {
    static constexpr Kind kOther{"", Rung::data, "packet", false};
    const auto found = std::ranges::find_if(kKinds, [&](const Kind& kind) { return opcode.starts_with(kind.begins); });
    return found == kKinds.end() ? kOther : *found;
}

// Whether PSN `a` is behind `b`; PSNs wrap.
bool is_after(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t ahead = (a - b) & kPsnMask;
    return ahead != 0 && ahead <= kPsnMask / 2;
}

// Names the message by this packet.
void name(LadderMessage& message, const LadderPacket& packet) {
    if (packet.opcode.ends_with("_INV")) {
        message.rung = Rung::invalidate;
        message.name = "SendAndInvalidate";
        message.invalidates = packet.invalidates;
    } else if (packet.says == "rnr_nak") {
        message.rung = Rung::rnr_nak;
        message.name = "RNR NAK";
    } else if (packet.says.starts_with("nak_")) {
        message.rung = Rung::nak;
        message.name = "NAK: " + packet.says.substr(4);
    }
}

// Joins consecutive packets of a flow: of one sender, queue pair and kind.
class Joiner {
public:
    explicit Joiner(const std::set<std::string>& hosts) : hosts_(hosts) {}

    void add(const LadderPacket& packet) {
        const Kind& kind = kind_of(packet.opcode);
        const std::string pair = packet.from + " " + packet.queue_pairs;
        Open& open = open_[pair + " " + std::string(kind.name)];
        const bool lost = packet.lost || !hosts_.contains(packet.to);
        if (lost || !goes_on(open, packet)) {
            LadderMessage message{kind.rung,
                                  std::string(kind.name),
                                  packet.request,
                                  packet.from,
                                  packet.to,
                                  packet.begin,
                                  packet.begin,
                                  packet.end,
                                  packet.end,
                                  0,
                                  0,
                                  lost,
                                  false,
                                  {}};
            message.again = kind.is_request && was_sent(pair, packet.psn);
            open.message = messages_.size();
            open.is_open = !lost;
            messages_.push_back(std::move(message));
        }
        LadderMessage& message = messages_[open.message];
        message.last_begin = packet.begin;
        message.end = packet.end;
        message.bytes += packet.bytes;
        ++message.packets;
        name(message, packet);
        open.psn = packet.psn;
        if (kind.is_request) {
            const auto [furthest, is_new] = furthest_.try_emplace(pair, packet.psn);
            furthest->second = is_after(packet.psn, furthest->second) ? packet.psn : furthest->second;
        }
    }
    [[nodiscard]] std::vector<LadderMessage> take() { return std::move(messages_); }

private:
    // A message that may get more packets.
    struct Open {
        std::size_t message = 0;
        std::uint64_t psn = 0;
        bool is_open = false;
    };
    [[nodiscard]] bool goes_on(const Open& open, const LadderPacket& packet) const {
        const bool is_inner =
            packet.opcode.find("_MIDDLE") != std::string::npos || packet.opcode.find("_LAST") != std::string::npos;
        return is_inner && open.is_open && packet.psn == ((open.psn + 1) & kPsnMask) &&
               packet.request == messages_[open.message].request;
    }
    [[nodiscard]] bool was_sent(const std::string& pair, std::uint64_t psn) const {
        const auto furthest = furthest_.find(pair);
        return furthest != furthest_.end() && !is_after(psn, furthest->second);
    }

    const std::set<std::string>& hosts_;
    std::map<std::string, Open> open_;
    std::map<std::string, std::uint64_t> furthest_;  // last PSN sent, by sender and queue pairs
    std::vector<LadderMessage> messages_;
};

}  // namespace

std::vector<LadderMessage> messages_of(const std::vector<LadderPacket>& packets, const std::set<std::string>& hosts) {
    Joiner joiner(hosts);
    for (const LadderPacket& packet : packets) {
        joiner.add(packet);
    }
    return joiner.take();
}

}  // namespace ndsim::report
