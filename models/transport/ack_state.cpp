// SPDX-License-Identifier: Apache-2.0
#include "models/transport/ack_state.hpp"

#include <algorithm>

namespace ndsim {

std::uint32_t AckState::accept(Psn last, std::uint32_t msn, bool asks) {
    entries_.push({last, msn, asks, kNotYet});
    return first_number_ + static_cast<std::uint32_t>(entries_.size() - 1);
}

std::optional<Picoseconds> AckState::executed(std::uint32_t number, Picoseconds due) {
    const bool nak_waited = owes_nak() && !nak_ready();
    const std::size_t place = number - first_number_;
    entries_[place].at = due;
    std::optional<Picoseconds> leave;
    for (; settled_ < entries_.size() && entries_[settled_].at != kNotYet; ++settled_) {
        Entry& entry = entries_[settled_];
        const Entry* const before = settled_ > 0 ? &entries_[settled_ - 1] : nullptr;
        // An entry executed before earlier ones is covered by their acknowledgement, if they ask for one.
        const bool covered = before != nullptr && before->at > entry.at && before->asks;
        if (before != nullptr) {
            entry.at = std::max(entry.at, before->at);
        }
        if (entry.asks && !covered) {
            leave = entry.at;
        }
    }
    const std::optional<Picoseconds> nak = owes_nak() ? nak_ready() : std::nullopt;
    if (!leave) {
        return nak;
    }
    nak_behind_ = nak_waited && nak > leave ? nak : std::nullopt;
    return leave;
}

// When everything before the NAK is executed, if that is known.
std::optional<Picoseconds> AckState::nak_ready() const {
    Picoseconds ready = nak_->due;
    for (std::size_t i = 0; i < entries_.size() && before_nak(entries_[i].psn); ++i) {
        if (i >= settled_) {
            return std::nullopt;
        }
        ready = std::max(ready, entries_[i].at);
    }
    return ready;
}

std::optional<Picoseconds> AckState::refuse(std::uint8_t syndrome, Psn psn, Picoseconds due) {
    nak_ = {psn, syndrome, due, false, false};
    return nak_ready();
}

bool AckState::response_sent(Psn psn) {
    if (reads_.empty()) {
        return false;
    }
    // A NAK that is late follows these responses, which the peer must not be asked for again.
    if (owes_nak() && nak_->answered && psn.ahead_of(nak_->psn) >= 0) {
        nak_->psn = reads_.front().end;
    }
    reads_.front().next = psn + 1;
    if (reads_.front().next != reads_.front().end) {
        return false;
    }
    reads_.pop();
    return std::exchange(owed_, false);
}

bool AckState::cut_read(std::size_t behind, Psn psn, bool with_those_behind) {
    const std::size_t cut = reads_.size() - 1 - behind;
    Ring<Read> kept;
    for (std::size_t i = 0; i < reads_.size(); ++i) {
        Read read = reads_[i];
        if (i == cut) {
            read.end = psn;
        }
        if (read.next != read.end && !(i > cut && with_those_behind)) {
            kept.push(read);
        }
    }
    reads_ = std::move(kept);
    return cut == 0 && std::exchange(owed_, false);
}

void AckState::give_up() {
    if (owes_nak()) {
        nak_.reset();
    }
    if (!reads_.empty()) {
        fall_silent(reads_.front().next);  // an acknowledgement from there on would pass responses that never come
        reads_.clear();
        owed_ = false;
        repeats_ = false;
    }
}

std::size_t AckState::new_reads() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < reads_.size(); ++i) {
        count += reads_[i].again ? 0 : 1;
    }
    return count;
}

// Something that asks has been executed, or something was refused, behind responses that have yet to leave. The
// responses of a Read that a NAK has asked for, and that came before the NAK left, are behind it.
bool AckState::waits_for_reads(Picoseconds now) const {
    if (reads_.empty()) {
        return false;
    }
    bool is_asked = (nak_ && !before_reads(nak_->psn - 1)) || !before_reads(acknowledged_.psn);
    for (std::size_t i = 0; i < settled_ && !is_asked && entries_[i].at <= now; ++i) {
        is_asked = entries_[i].asks && !before_reads(entries_[i].psn);
    }
    return is_asked;
}

std::optional<AckState::Answer> AckState::answer(Picoseconds now) {
    // A repeated answer that would pass the responses of a Read stays due until they have left.
    bool is_asked = repeats_ && before_reads(acknowledged_.psn);
    repeats_ = repeats_ && !is_asked;
    while (settled_ > 0 && entries_.front().at <= now && before_nak(entries_.front().psn) &&
           before_reads(entries_.front().psn)) {
        acknowledged_ = entries_.pop();
        --settled_;
        ++first_number_;
        is_asked = is_asked || acknowledged_.asks;
    }
    if (waits_for_reads(now)) {
        owed_ = true;
        if (!is_asked) {
            return std::nullopt;  // the responses acknowledge what is before them
        }
    } else if (nak_ && !nak_->sent && now >= nak_->due && (entries_.empty() || !before_nak(entries_.front().psn))) {
        const Answer nak{nak_->psn, nak_->syndrome, acknowledged_.msn};
        if (nak_->answered) {
            nak_.reset();
        } else {
            nak_->sent = true;
        }
        return nak;
    }
    if (!is_asked) {
        return std::nullopt;  // an earlier answer or a NAK has said all of it, or nothing may be said
    }
    return Answer{acknowledged_.psn, Aeth::kAck, acknowledged_.msn};
}

bool AckState::covers_only_executed(Psn psn, Picoseconds now) const {
    return entries_.empty() || entries_.front().psn.ahead_of(psn) > 0 || (settled_ > 0 && entries_.front().at <= now);
}

}  // namespace ndsim
