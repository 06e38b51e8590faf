// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// Where the time of a request goes. The order is that of a Send's life.
enum class Account : std::uint8_t {
    slot,          // waiting for a slot of the queue, or of an open loop's window
    post,          // host software reaches the request and builds the WQE
    doorbell,      // store, PCIe, doorbell FIFO and decoding
    arbitration,   // among queue pairs, and behind earlier requests of its own
    wqe_cache,     // no room in the NIC for the WQE
    wqe_fetch,     // the NIC reads the WQE
    context,       // a missing QP context or translation
    fence,         // waiting for earlier Reads
    read_limit,    // too many Reads outstanding
    tags,          // PCIe tags or DMA reads in flight
    credits,       // PCIe credits
    payload_read,  // payload from host memory
    tx,            // packet build, TX FIFO, and the lane behind earlier packets
    wire,          // MAC, serialisation, flight
    switch_,       // in the queue of a switch
    pause,         // the peer holds the lane
    rx_buffer,     // receive pipeline and RX buffer
    rnr,           // waiting after an RNR NAK
    retransmit,    // lost time of packets sent again
    receive_wqe,   // the receive WQE was not there yet
    message,       // a Receive waits for its message
    dma_write,     // payload into host memory, up to the acknowledge point
    ack_return,    // the ACK's way back
    cqe,           // writing the CQE
    poll,          // until a poll has returned it
};
inline constexpr std::size_t kAccounts = static_cast<std::size_t>(Account::poll) + 1;

[[nodiscard]] std::span<const std::string_view, kAccounts> account_names();

// One interval of a request's life: in `account` from the end of the previous stay until `until`.
struct Stay {
    Account account{};
    Picoseconds until{};
    friend bool operator==(const Stay&, const Stay&) = default;
};

struct Ledger;

// Watches ledgers: hears when a ledger is about to be charged with one more interval, and when a message takes a
// Receive. Only the latest interval is ever cut, so the ledger keeps its earlier ones, unless its request is sent
// again.
class LedgerWatch {
public:
    virtual void charges(const Ledger& ledger) = 0;
    virtual void taken(const Ledger& ledger, Picoseconds at) = 0;

protected:
    ~LedgerWatch() = default;
};

// Ledger: where one request spent its time. Intervals follow each other without a gap, so the accounts add up to
// the total by construction.
struct Ledger {
    RequestId id;
    Picoseconds begun{};
    Picoseconds last{};
    std::array<Picoseconds, kAccounts> accounts{};
    std::uint32_t charged = 0;  // a bit for each account that is not 0
    // The stays in time order, if the book keeps them. Two neighbours always differ in their account.
    std::vector<Stay>* path = nullptr;
    LedgerWatch* watch = nullptr;           // if there is one
    bool receives = false;                  // of a Receive
    bool silent = false;                    // of a request that has no completion if it succeeds
    bool sent_again = false;                // what it is charged with from then on may be taken back
    bool ended = false;                     // nothing that packets still do is the request's
    std::optional<Picoseconds> completion;  // when its completion is in host memory
    bool lost = false;                      // it succeeded, and its completion never comes
    // The stay that ended last: its account and its begin.
    Account latest{};
    Picoseconds latest_begun{};

    // Charges the time since the last mark to `account`. An earlier time charges nothing: the later arrival counts.
    void mark(Account account, Picoseconds at) {
        if (at > last) {
            accounts[static_cast<std::size_t>(account)] += at - last;
            charged |= 1U << static_cast<unsigned>(account);
            if (watch != nullptr) {
                watch->charges(*this);
            }
            latest = account;
            latest_begun = last;
            last = at;
            if (path != nullptr) {
                add_stay(account);
            }
        }
    }
    // Takes back what the latest mark has charged beyond `at`.
    void cut(Picoseconds at);
    [[nodiscard]] Picoseconds total() const { return last - begun; }

private:
    void add_stay(Account account);  // until `last`
};

// LedgerBook: the open ledgers of one host's requests, found by their running number.
class LedgerBook {
public:
    explicit LedgerBook(HostId host) : host_(host) {}

    // Ledgers opened from now on have paths.
    void keep_paths() { keeps_paths_ = true; }
    // Ledgers opened from now on have this watch.
    void watch(LedgerWatch* watch) { watch_ = watch; }
    // Opens the ledger of a new request that begins at `at`. The reference holds until the next one is opened.
    Ledger& open(Picoseconds at);
    void close(const Ledger& ledger);
    [[nodiscard]] Ledger* find(std::uint32_t number) {
        for (std::size_t at = home(number); places_[at].number != 0; at = next(at)) {
            if (places_[at].number == number) {
                return &pool_[places_[at].ledger];
            }
        }
        return nullptr;
    }
    // Marks that follow each other. What packets of a request still do when it has ended, as it was flushed or sent
    // again in vain, is no time of the request.
    void mark(std::uint32_t number, std::initializer_list<Stay> stays) {
        if (Ledger* const ledger = find(number); ledger != nullptr && !ledger->ended) {
            mark_all(*ledger, stays);
        }
    }
    // The same for the completion on its way, when the request has ended.
    void mark_completion(std::uint32_t number, std::initializer_list<Stay> stays) {
        if (Ledger* const ledger = find(number); ledger != nullptr && !ledger->completion) {
            mark_all(*ledger, stays);
        }
    }
    // The first packet of a message has come to the Receive, which is its own from `at` on.
    void take(std::uint32_t number, Picoseconds at) {
        if (Ledger* const ledger = watch_ == nullptr ? nullptr : find(number)) {
            watch_->taken(*ledger, at);
        }
    }
    // The request is sent again. The peer may have it already, and then only the marks until now are of use.
    void fork(std::uint32_t number);
    // At `at`, what the request has waited for is there. Marks that lie ahead are of packets that nobody needs.
    void settle(std::uint32_t number, Picoseconds at) {
        if (Ledger* const ledger = find(number); ledger != nullptr && !ledger->ended) {
            go_back(*ledger, at);
        }
    }
    // The request has ended in the NIC at `at`, and has waited in `account` until then.
    void end(std::uint32_t number, Account account, Picoseconds at) {
        if (Ledger* const ledger = find(number); ledger != nullptr && !ledger->ended) {
            go_back(*ledger, at);
            ledger->mark(account, at);
            ledger->ended = true;
        }
    }
    // The request's completion is written, and visible at `visible`.
    void complete(std::uint32_t number, Picoseconds visible) {
        if (Ledger* const ledger = find(number)) {
            go_back(*ledger, visible);
            ledger->mark(Account::cqe, visible);
            ledger->completion = visible;
            ledger->ended = true;
        }
    }
    // The request has succeeded, and its completion queue takes no entry for it.
    void lose_completion(std::uint32_t number) {
        if (Ledger* const ledger = find(number)) {
            ledger->lost = true;
        }
    }
    [[nodiscard]] std::size_t open_count() const { return pool_.size() - free_.size(); }
    template <class Visit>
    void for_each_open(const Visit& visit) const {
        for (const Place& place : places_) {
            if (place.number != 0) {
                visit(pool_[place.ledger]);
            }
        }
    }

private:
    // Open addressing. Numbers are consecutive, so they are scattered to keep runs of places short. A free place has
    // number 0.
    struct Place {
        std::uint32_t number = 0;
        std::uint32_t ledger = 0;  // index into pool_
    };
    [[nodiscard]] std::size_t home(std::uint32_t number) const {
        return (std::size_t{number} * 0x9E37'79B9U >> 12U) & (places_.size() - 1);
    }
    [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
    // A ledger as it was when its request was sent again.
    struct Copy {
        Ledger ledger;
        std::vector<Stay> path;
    };
    static void mark_all(Ledger& ledger, std::initializer_list<Stay> stays) {
        for (const Stay& stay : stays) {
            ledger.mark(stay.account, stay.until);
        }
    }
    void go_back(Ledger& ledger, Picoseconds at) {
        if (ledger.last > at) {
            take_back(ledger, at);
        }
    }
    void take_back(Ledger& ledger, Picoseconds at);
    void insert(Place place);
    void grow();

    HostId host_;
    LedgerWatch* watch_ = nullptr;
    std::uint32_t last_number_ = 0;
    std::vector<Place> places_ = std::vector<Place>(64);
    std::vector<Ledger> pool_;
    std::vector<std::uint32_t> free_;
    bool keeps_paths_ = false;
    std::deque<std::vector<Stay>> paths_;  // of the ledgers in pool_; their addresses must not change
    std::unordered_map<std::uint32_t, std::vector<Copy>> copies_;  // by number, the oldest first; never iterated
};

// The books of all hosts: a packet's request belongs to the host that posted it.
class Ledgers {
public:
    explicit Ledgers(std::size_t hosts);
    void keep_paths();
    [[nodiscard]] LedgerBook& of(HostId host) { return books_[raw(host)]; }
    void watch(LedgerWatch& watch) {
        for (LedgerBook& book : books_) {
            book.watch(&watch);
        }
    }
    void mark(RequestId request, std::initializer_list<Stay> stays) {
        if (request.number != 0) {
            of(request.host).mark(request.number, stays);
        }
    }
    void mark(RequestId request, Account account, Picoseconds at) { mark(request, {{account, at}}); }
    void mark_completion(RequestId request, std::initializer_list<Stay> stays) {
        if (request.number != 0) {
            of(request.host).mark_completion(request.number, stays);
        }
    }
    void take(RequestId receive, Picoseconds at) {
        if (receive.number != 0) {
            of(receive.host).take(receive.number, at);
        }
    }
    void fork(RequestId request) {
        if (request.number != 0) {
            of(request.host).fork(request.number);
        }
    }
    void settle(RequestId request, Picoseconds at) {
        if (request.number != 0) {
            of(request.host).settle(request.number, at);
        }
    }
    void end(RequestId request, Account account, Picoseconds at) {
        if (request.number != 0) {
            of(request.host).end(request.number, account, at);
        }
    }
    void complete(RequestId request, Picoseconds visible) {
        if (request.number != 0) {
            of(request.host).complete(request.number, visible);
        }
    }
    void lose_completion(RequestId request) {
        if (request.number != 0) {
            of(request.host).lose_completion(request.number);
        }
    }

private:
    std::vector<LedgerBook> books_;
};

}  // namespace ndsim
