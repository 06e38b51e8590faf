// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "models/proto/packet.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// AckState: the answers that the responder of one queue pair may give its peer. An acknowledgement covers every request
// up to its PSN. So it waits until all of them are executed, and never passes the responses of an earlier Read. A NAK
// also acknowledges everything before it, and follows that.
class AckState {
public:
    void begin(Psn expected) { acknowledged_.psn = expected - 1; }
    // A request is accepted; `asks` for an acknowledgement. Returns the number for executed().
    std::uint32_t accept(Psn last, std::uint32_t msn, bool asks);
    // Request `number` counts as executed from `due` on. Returns when an acknowledgement leaves, if one does.
    [[nodiscard]] std::optional<Picoseconds> executed(std::uint32_t number, Picoseconds due);
    // When the NAK leaves that executed() has released behind that acknowledgement, if it has.
    [[nodiscard]] std::optional<Picoseconds> nak_behind() { return std::exchange(nak_behind_, std::nullopt); }

    // The packet `psn` is refused; the NAK is built at `due`. Returns when it can leave, if that is known.
    [[nodiscard]] std::optional<Picoseconds> refuse(std::uint8_t syndrome, Psn psn, Picoseconds due);
    // Nothing from `psn` on is ever acknowledged.
    void fall_silent(Psn psn) { nak_ = {psn, Aeth::kAck, {}, true, false}; }
    // The packet that was asked for has arrived. A NAK that has not left does so all the same: what came before the
    // packet was dropped, and only the NAK makes the peer send it again.
    void missing_came() {
        if (nak_ && nak_->sent) {
            nak_.reset();
        } else if (nak_) {
            nak_->answered = true;
        }
    }
    // A NAK waits for what was accepted before.
    [[nodiscard]] bool owes_nak() const { return nak_ && !nak_->sent; }
    // Waits for the packet that a NAK asked for; later packets get no answer [wire.md 3.2].
    [[nodiscard]] bool nak_open() const { return nak_ && !nak_->answered; }

    // The responses [first, end) of a Read will be sent behind those of earlier Reads; `again`: not for the first time.
    void read_begins(Psn first, Psn end, bool again = false) { reads_.push({first, end, again}); }
    // A response enters the lane. True if it was its Read's last, and an acknowledgement waited for that.
    [[nodiscard]] bool response_sent(Psn psn);
    // The last Read but `behind` gets no responses from `psn` on; with `with_those_behind`, the later ones get none at
    // all. True if an acknowledgement waited for it.
    bool cut_read(std::size_t behind, Psn psn, bool with_those_behind);
    // The peer gets no responses any more, and no NAK that has not left.
    void give_up();
    // The number of Reads answered for the first time.
    [[nodiscard]] std::size_t new_reads() const;

    // The fields of an acknowledgement.
    struct Answer {
        Psn psn;
        std::uint8_t syndrome = Aeth::kAck;
        std::uint32_t msn = 0;
    };
    // What the last answer said is asked for again [X9].
    void repeat() { repeats_ = true; }
    // The content of an acknowledgement that leaves now. None if there is nothing to say before the responses of a Read
    // have left: it is due then. None either if the last answer has said all of it.
    [[nodiscard]] std::optional<Answer> answer(Picoseconds now);
    // Whether all requests up to `psn` are executed; those before the last answer() count as such.
    [[nodiscard]] bool covers_only_executed(Psn psn, Picoseconds now) const;

private:
    static constexpr Picoseconds kNotYet = Picoseconds::max();
    // A request accepted and not yet acknowledged.
    struct Entry {
        Psn psn;
        std::uint32_t msn = 0;
        bool asks = false;
        Picoseconds at{};
    };
    // A refused packet.
    struct Nak {
        Psn psn;
        std::uint8_t syndrome = 0;
        Picoseconds due{};
        bool sent = false;
        bool answered = false;  // the packet that it asks for has come before it left
    };

    [[nodiscard]] bool before_nak(Psn psn) const { return !nak_ || psn.ahead_of(nak_->psn) < 0; }
    [[nodiscard]] bool before_reads(Psn psn) const { return reads_.empty() || psn.ahead_of(reads_.front().next) < 0; }
    [[nodiscard]] bool waits_for_reads(Picoseconds now) const;
    [[nodiscard]] std::optional<Picoseconds> nak_ready() const;

    Ring<Entry> entries_;  // accepted, in the order of PSNs; the first settled_ have a time
    std::size_t settled_ = 0;
    std::uint32_t first_number_ = 0;  // of entries_.front()
    Entry acknowledged_;
    std::optional<Nak> nak_;
    std::optional<Picoseconds> nak_behind_;
    // A Read and the responses that it still gets.
    struct Read {
        Psn next;  // the next response
        Psn end;
        bool again = false;
    };
    Ring<Read> reads_;      // those with responses still to leave
    bool owed_ = false;     // an answer is due once the first Read is answered
    bool repeats_ = false;  // the next answer says what the last one said, if nothing new
};

}  // namespace ndsim
