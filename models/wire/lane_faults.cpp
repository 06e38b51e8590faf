// SPDX-License-Identifier: Apache-2.0
#include "models/wire/lane_faults.hpp"

#include <algorithm>

#include "models/parts/ranks.hpp"

namespace ndsim {

LaneFaults::LaneFaults(const sc_core::sc_module_name& name, Timeline& timeline, Bandwidth rate,
                       std::vector<FaultRule> rules, std::uint64_t seed, PayloadPool& payloads)
    : Unit(name, timeline),
      rate_(ExactRate::per_byte(rate)),
      random_(seed, this->name()),
      payloads_(payloads),
      patience_(*this, timeline, kRankEgress) {
    for (FaultRule& rule : rules) {
        rules_.push_back({std::move(rule)});
    }
    in.bind(*this);
}

const FaultRule* LaneFaults::strikes(const Packet& packet) {
    const FaultRule* first = nullptr;
    for (Rule& rule : rules_) {
        const FaultRule& what = rule.what;
        if (now() < what.from || now() >= what.until || (what.opcode && *what.opcode != packet.opcode)) {
            continue;
        }
        ++rule.matched;
        const bool hit = what.packet == 0 ? random_.chance(what.rate)
                                          : rule.matched >= what.packet && rule.matched - what.packet < what.count;
        if (hit && first == nullptr) {
            first = &what;
        }
    }
    return first;
}

bool LaneFaults::bunches() const {
    return std::ranges::any_of(rules_, [](const Rule& rule) {
        return rule.what.fault != LinkFault::drop && rule.what.fault != LinkFault::corrupt;
    });
}

bool LaneFaults::is_over() const {
    return std::all_of(rules_.begin(), rules_.end(), [this](const Rule& rule) {
        const FaultRule& what = rule.what;
        const bool spent =
            what.packet != 0 && rule.matched >= what.packet && rule.matched - what.packet >= what.count - 1;
        return now() >= what.until || spent;
    });
}

void LaneFaults::arrive(const Packet& packet, Interval at) {
    const FaultRule* const rule = packet.opcode == Opcode::ud_send_only ? nullptr : strikes(packet);
    fault_.set(static_cast<std::uint8_t>(rule == nullptr ? 0 : 1 + static_cast<std::uint8_t>(rule->fault)), now());
    if (rule == nullptr) {
        pass(packet, at);
        let_go();
        return;
    }
    ++counts_[static_cast<std::size_t>(rule->fault)];
    apply(*rule, packet, at);
}

void LaneFaults::apply(const FaultRule& rule, const Packet& packet, Interval at) {
    switch (rule.fault) {
        case LinkFault::drop:
            for (int i = 0; i < taps.size(); ++i) {
                taps[i]->lost(packet);
            }
            payloads_.give(packet.payload);
            break;
        case LinkFault::corrupt: {
            Packet damaged = packet;
            damaged.damaged = true;
            pass(damaged, at);
            let_go();
            break;
        }
        case LinkFault::duplicate: {
            Packet copy = packet;
            copy.is_copy = true;
            copy.payload = payloads_.share(packet.payload);
            pass(packet, at);
            pass(copy, at);
            let_go();
            break;
        }
        case LinkFault::delay:
            out->arrive(packet, {at.start + rule.by, at.end + rule.by});
            break;
        case LinkFault::reorder:
            held_.push_back({packet, at, {at.start + rule.by, at.end + rule.by}, ++last_held_});
            patience_.push(now() + rule.by, last_held_);
            break;
    }
}

// A packet arrives behind those that have passed, as the lane brings one at a time. The receiver may begin with a part
// of it, so its arrival may be shorter than its time on the lane.
void LaneFaults::pass(const Packet& packet, Interval at) {
    constexpr Picoseconds kRounding{1};  // of the ends of two packets without a gap
    const Picoseconds on_lane = rate_.time(wire_bytes(packet));
    const bool is_late = at.end - on_lane + kRounding < passed_;
    const Picoseconds late = is_late ? passed_ + on_lane - at.end : Picoseconds{};
    passed_ = at.end + late;
    out->arrive(packet, {at.start + late, passed_});
}

// Held packets pass behind the packet that has overtaken them.
void LaneFaults::let_go() {
    for (const Held& held : held_) {
        pass(held.packet, held.at);
    }
    held_.clear();
}

void LaneFaults::waited_enough(const std::uint64_t& number) {
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Held& each) { return each.number == number; });
    if (held != held_.end()) {
        pass(held->packet, held->at_last);
        held_.erase(held);
    }
}

void LaneFaults::report(StatSink& sink) const {
    static constexpr std::array<std::string_view, kLinkFaultNames.size()> kSentences{
        "packets lost", "packets damaged", "packets that arrived twice", "packets delayed", "packets overtaken"};
    for (std::size_t i = 0; i < kSentences.size(); ++i) {
        sink.add(kLinkFaultNames[i], counts_[i], StatUnit::count, kSentences[i]);
    }
}

}  // namespace ndsim
