// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/proto/packet.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// AckState: what the responder of one queue pair may tell its peer. An acknowledgement covers every request up to its
// PSN, so it waits until all of them are executed, and never passes the responses of a Read, which come first. A NAK
// also acknowledges what is before it, and follows that.
class AckState {
public:
    void begin(Psn expected);
    // A request is accepted; `asks` for an acknowledgement. Returns the number for executed().
    std::uint32_t accept(Psn last, std::uint32_t msn, bool asks);
    // Request `number` counts as executed from `due` on. Returns when an acknowledgement is to leave, if one is.
    [[nodiscard]] std::optional<Picoseconds> executed(std::uint32_t number, Picoseconds due);

    // The packet `psn` is refused; the NAK is built at `due`. Returns when it can leave, if that is known.
    [[nodiscard]] std::optional<Picoseconds> refuse(std::uint8_t syndrome, Psn psn, Picoseconds due);
    // Nothing from `psn` on is ever acknowledged.
    void fall_silent(Psn psn) { nak_ = {psn, Aeth::kAck, {}, true}; }
    // The packet that was asked for has come.
    void withdraw_nak() { nak_.reset(); }
    // Waits for the packet that a NAK asked for; later packets get no answer [wire.md 3.2].
    [[nodiscard]] bool nak_open() const { return nak_.has_value(); }

    // The responses [first, end) of a Read are to be sent, behind those of earlier ones; perhaps once more.
    void read_begins(Psn first, Psn end, bool again = false) { reads_.push({first, end, again}); }
    // A response goes onto the lane. True if it was its Read's last, and an acknowledgement waited for that.
    [[nodiscard]] bool response_sent(Psn psn);
    // The last Read but `behind` gets no responses from `psn` on, and perhaps those behind it none at all. True if an
    // acknowledgement waited for it.
    bool cut_read(std::size_t behind, Psn psn, bool with_those_behind);
    void drop_reads() { reads_.clear(); }
    // Reads that are answered for the first time.
    [[nodiscard]] std::size_t new_reads() const;

    struct Answer {
        Psn psn;
        std::uint8_t syndrome = Aeth::kAck;
        std::uint32_t msn = 0;
    };
    // What an acknowledgement that leaves now says.
    [[nodiscard]] Answer answer(Picoseconds now);
    // Whether all requests up to `psn` are executed, as far as answer() has not already said so.
    [[nodiscard]] bool covers_only_executed(Psn psn, Picoseconds now) const;

private:
    static constexpr Picoseconds kNotYet = Picoseconds::max();
    struct Entry {
        Psn psn;
        std::uint32_t msn = 0;
        bool asks = false;
        Picoseconds at{};
    };
    struct Nak {
        Psn psn;
        std::uint8_t syndrome = 0;
        Picoseconds due{};
        bool sent = false;
    };

    [[nodiscard]] bool before_nak(Psn psn) const { return !nak_ || psn.ahead_of(nak_->psn) < 0; }
    [[nodiscard]] std::optional<Picoseconds> nak_ready() const;

    Ring<Entry> entries_;  // accepted, in the order of PSNs; the first settled_ have a time
    std::size_t settled_ = 0;
    std::uint32_t first_number_ = 0;  // of entries_.front()
    Entry acknowledged_;
    std::optional<Nak> nak_;
    struct Read {
        Psn next;  // response to be sent
        Psn end;
        bool again = false;
    };
    Ring<Read> reads_;  // whose responses have not all left
    bool owed_ = false;
};

}  // namespace ndsim
