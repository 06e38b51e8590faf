// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "tests/reference/pcie/cuts.hpp"
#include "tests/reference/pcie/transfer.hpp"

namespace ndsim::reference::pcie {

// SlowPcie: a DMA engine, a link and a root complex, written from the rules: an event for each TLP and each credit that
// comes back, and queues of single TLPs. Slow and plain; what the simulator's units are measured by.
class SlowPcie {
public:
    explicit SlowPcie(const Setup& setup)
        : pcie_(setup.pcie),
          root_(setup.root),
          dma_(setup.dma),
          grain_(setup.forward_grain.count),
          up_(pcie_.tlp_rate()),
          down_(pcie_.tlp_rate()) {}

    // The times of each transfer. Once only.
    [[nodiscard]] std::vector<Times> run(const std::vector<Transfer>& transfers);

private:
    struct Event {
        Picoseconds at{};
        std::uint64_t order = 0;
        std::function<void()> act;
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const { return a.at != b.at ? a.at > b.at : a.order > b.order; }
    };
    // A read request or a TLP of a write, on its way up.
    struct Tlp {
        std::size_t transfer = 0;
        Piece piece;
        bool last = false;        // of its transfer
        std::uint64_t given = 0;  // to the link, as the how manieth
        Picoseconds not_before{};
        bool has_waited = false;  // for credits
    };
    struct Completion {
        std::size_t transfer = 0;
        Piece piece;
        bool ends_request = false;
        bool last = false;
    };
    struct Transmitter {
        bool busy = false;
        Kind turn{};
        std::uint64_t sent_in_turn = 0;
    };

    void at(Picoseconds when, std::function<void()> act);
    void accept(std::size_t transfer);
    // The DMA engine hands on what its limits allow.
    void issue_reads();
    void issue_writes();
    // The NIC's transmitter takes the next TLP, if it is free and there is one that may leave.
    void send_up();
    [[nodiscard]] std::optional<Kind> choose();
    void send(const Tlp& tlp);
    void request_at_root(const Tlp& tlp);
    void send_down();

    const PcieParams pcie_;
    const RootParams root_;
    Picoseconds settled_{};  // every write that has arrived is visible
    const DmaParams dma_;
    const std::uint64_t grain_;
    std::vector<Transfer> transfers_;
    std::vector<Times> times_;
    std::vector<Event> events_;  // a heap, the next one first
    std::uint64_t next_order_ = 0;
    Picoseconds now_{};

    // DMA engine: requests and writes that wait, and what is in flight.
    std::deque<Tlp> waiting_requests_;
    std::deque<std::size_t> waiting_writes_;
    std::uint64_t requests_in_flight_ = 0;
    std::uint64_t writes_in_flight_ = 0;

    // The NIC's end of the link: TLPs in order, and the root port's credits that are left.
    std::deque<Tlp> requests_;
    std::deque<Tlp> writes_;
    std::uint64_t given_ = 0;
    std::uint64_t posted_headers_ = 0;
    std::uint64_t posted_data_ = 0;
    std::uint64_t nonposted_headers_ = 0;
    ExactServer up_;
    Transmitter nic_;

    // The root port's end.
    std::deque<Completion> completions_;
    ExactServer down_;
    bool root_busy_ = false;
};

}  // namespace ndsim::reference::pcie
