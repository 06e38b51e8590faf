// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/pcie/slow_pcie.hpp"

#include <utility>

namespace ndsim::reference::pcie {

namespace {

// Posted data is counted in units of 16 bytes.
std::uint64_t data_credits(const Piece& piece) {
    return ceil_div(piece.length, 16);
}

}  // namespace

std::vector<Times> SlowPcie::run(const std::vector<Transfer>& transfers) {
    transfers_ = transfers;
    times_.resize(transfers.size());
    posted_headers_ = pcie_.posted_headers;
    posted_data_ = pcie_.posted_data;
    nonposted_headers_ = pcie_.nonposted_headers;
    if (!transfers_.empty()) {
        at(transfers_[0].at, [this] { accept(0); });
    }
    while (!events_.empty()) {
        std::pop_heap(events_.begin(), events_.end(), Later());
        const Event event = std::move(events_.back());
        events_.pop_back();
        now_ = event.at;
        event.act();
    }
    return times_;
}

void SlowPcie::at(Picoseconds when, std::function<void()> act) {
    events_.push_back({when, next_order_++, std::move(act)});
    std::push_heap(events_.begin(), events_.end(), Later());
}

void SlowPcie::accept(std::size_t transfer) {
    const Transfer& given = transfers_[transfer];
    if (transfer + 1 < transfers_.size()) {
        at(transfers_[transfer + 1].at, [this, transfer] { accept(transfer + 1); });
    }
    if (given.kind == Kind::write) {
        waiting_writes_.push_back(transfer);
        issue_writes();
        return;
    }
    for (const Piece& piece : cut(given.address, given.length, pcie_.mrrs.count)) {
        waiting_requests_.push_back({transfer, piece, false, 0, {}, false});
    }
    waiting_requests_.back().last = true;
    issue_reads();
}

void SlowPcie::issue_reads() {
    while (!waiting_requests_.empty() && requests_in_flight_ < pcie_.tags &&
           requests_in_flight_ < dma_.dma_reads_in_flight) {
        ++requests_in_flight_;
        requests_.push_back(waiting_requests_.front());
        requests_.back().given = given_++;
        waiting_requests_.pop_front();
    }
    send_up();
}

void SlowPcie::issue_writes() {
    while (!waiting_writes_.empty() && writes_in_flight_ < dma_.dma_writes_in_flight) {
        ++writes_in_flight_;
        const std::size_t transfer = waiting_writes_.front();
        waiting_writes_.pop_front();
        const Transfer& write = transfers_[transfer];
        const std::vector<Piece> pieces = cut(write.address, write.length, pcie_.mps.count);
        // It starts so that the link does not run dry: its last TLP must not be due before its last byte is there.
        const std::uint64_t header = pcie_.write_header.count;
        const std::uint64_t last_tlp = std::min<std::uint64_t>(write.length, pcie_.mps.count) + header;
        const Picoseconds all_but_last =
            up_.rate().time(write.length + pieces.size() * header) - up_.rate().time(last_tlp);
        const Picoseconds start = std::max(write.at + write.grain_in, write.at + write.all_in - all_but_last);
        for (const Piece& piece : pieces) {
            writes_.push_back({transfer, piece, false, given_, start, false});
        }
        writes_.back().last = true;
        ++given_;
        at(std::max(start, now_), [this] { send_up(); });
    }
}

// Both sources get the link in turns. A turn ends with the TLP that uses up the grain, since no TLP is cut, and one of
// writes with the write, too. A write passes requests without credits; a request does not pass a write that was given
// before it and has waited for credits.
std::optional<Kind> SlowPcie::choose() {
    bool write = false;
    bool request = !requests_.empty() && nonposted_headers_ > 0;
    if (!writes_.empty() && writes_.front().not_before <= now_) {
        Tlp& head = writes_.front();
        write = posted_headers_ > 0 && posted_data_ >= data_credits(head.piece);
        head.has_waited = head.has_waited || !write;
        if (head.has_waited && !requests_.empty() && head.given < requests_.front().given) {
            request = false;
        }
    }
    if (write && request) {
        return nic_.turn;
    }
    if (write || request) {
        return write ? Kind::write : Kind::read;
    }
    return std::nullopt;
}

void SlowPcie::send_up() {
    if (nic_.busy) {
        return;
    }
    const std::optional<Kind> kind = choose();
    if (!kind) {
        return;
    }
    std::deque<Tlp>& queue = *kind == Kind::write ? writes_ : requests_;
    const Tlp tlp = queue.front();
    queue.pop_front();
    const std::uint64_t bytes =
        *kind == Kind::write ? tlp.piece.length + pcie_.write_header.count : pcie_.read_header.count;
    nic_.sent_in_turn = bytes + (nic_.turn == *kind ? nic_.sent_in_turn : 0);
    nic_.turn = *kind;
    if (nic_.sent_in_turn >= pcie_.arbiter_grain.count || (*kind == Kind::write && tlp.last)) {
        nic_.turn = *kind == Kind::write ? Kind::read : Kind::write;
        nic_.sent_in_turn = 0;
    }
    nic_.busy = true;
    const Picoseconds end = up_.reserve(now_, bytes).end;
    if (*kind == Kind::read) {
        --nonposted_headers_;
        at(end, [this] {
            nic_.busy = false;
            send_up();
        });
        at(end + pcie_.one_way, [this, tlp] { request_at_root(tlp); });
        return;
    }
    --posted_headers_;
    posted_data_ -= data_credits(tlp.piece);
    at(end, [this, tlp] {
        nic_.busy = false;
        if (tlp.last) {
            times_[tlp.transfer].first = now_;
            --writes_in_flight_;
            issue_writes();
        }
        send_up();
    });
    at(end + pcie_.one_way, [this] { settled_ = std::max(settled_, now_ + root_.write_visible); });
    at(end + pcie_.one_way + root_.write_visible, [this, tlp] {
        if (tlp.last) {
            times_[tlp.transfer].last = now_;
        }
    });
    at(end + pcie_.one_way + root_.write_visible + pcie_.update_fc + pcie_.one_way, [this, tlp] {
        ++posted_headers_;
        posted_data_ += data_credits(tlp.piece);
        send_up();
    });
}

// The request's buffer is free at once, its credit goes back; memory has the data later.
void SlowPcie::request_at_root(const Tlp& tlp) {
    at(now_ + pcie_.update_fc + pcie_.one_way, [this] {
        ++nonposted_headers_;
        send_up();
    });
    // It finds the writes that have arrived before it.
    at(std::max(now_ + root_.llc_read, settled_), [this, tlp] {
        for (const Piece& piece : completions(tlp.piece.address, tlp.piece.length, pcie_.mps.count, pcie_.rcb.count)) {
            completions_.push_back({tlp.transfer, piece, false, false});
        }
        completions_.back().ends_request = true;
        completions_.back().last = tlp.last;
        send_down();
    });
}

void SlowPcie::send_down() {
    if (root_busy_ || completions_.empty()) {
        return;
    }
    root_busy_ = true;
    const Completion completion = completions_.front();
    completions_.pop_front();
    const Transfer& read = transfers_[completion.transfer];
    // The forward grain is in when its last byte is, though its TLP goes on; a read no longer than that, when all is.
    const std::uint64_t grain_end = read.address + std::min<std::uint64_t>(grain_, read.length);
    const bool has_grain =
        completion.piece.address < grain_end && grain_end <= completion.piece.address + completion.piece.length;
    ExactServer part = down_;
    const Picoseconds grain_in =
        part.reserve(now_, pcie_.completion_header.count + grain_end - completion.piece.address).end;
    const Picoseconds end = down_.reserve(now_, pcie_.completion_header.count + completion.piece.length).end;
    if (has_grain) {
        times_[completion.transfer].first = grain_in + pcie_.one_way;
    }
    at(end, [this] {
        root_busy_ = false;
        send_down();
    });
    at(end + pcie_.one_way, [this, completion] {
        if (completion.last) {
            times_[completion.transfer].last = now_;
        }
        if (completion.ends_request) {
            --requests_in_flight_;
            issue_reads();
        }
    });
}

}  // namespace ndsim::reference::pcie
