// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/pcie/fast_pcie.hpp"

#include <cstring>
#include <deque>

#include "models/dma/dma_engine.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/root/root_complex.hpp"
#include "tests/support/forked.hpp"
#include "tests/support/pcie_doubles.hpp"

namespace ndsim::reference::pcie {

namespace {

// Who reads and writes, in front of engine, link and memory.
class FastPcie final : public ReadClient, public WriteClient {
public:
    FastPcie(const Setup& setup, const std::vector<Transfer>& transfers)
        : transfers_(transfers),
          times_(transfers.size()),
          dma_("dma", bench_.timeline, setup.dma, setup.pcie, setup.forward_grain, bench_.ledgers),
          link_("link", bench_.timeline, setup.pcie),
          root_("root", bench_.timeline, setup.root, {}, bench_.payloads) {
        dma_.link.bind(link_);
        dma_.translation.bind(translations_);
        link_.client.bind(dma_);
        link_.bar.bind(bar_);
        link_.root.bind(root_);
        root_.link.bind(link_);
        root_.memory.bind(memory_);
        root_.interrupts.bind(interrupts_);
        root_.software_wrote(test::Memory::kBase, memory_.data.size());
    }

    std::vector<Times> run() {
        for (std::uint32_t i = 0; i < transfers_.size(); ++i) {
            bench_.at(transfers_[i].at, [this, i] { start(i); });
        }
        bench_.run();
        dma_.check_idle();
        link_.check_idle();
        if (!waiting_.empty()) {
            throw std::runtime_error("reads are left over");
        }
        return times_;
    }
    void read_arrives(std::uint32_t token, Interval data) override { times_.at(token) = {data.start, data.end}; }
    void read_space(ReadClass) override { issue(); }
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override {
        times_.at(token) = {issued, visible};
    }

private:
    void start(std::uint32_t i) {
        const Transfer& transfer = transfers_[i];
        if (transfer.kind == Kind::read) {
            waiting_.push_back(i);
            issue();
            return;
        }
        WriteTrain train;
        train.to = test::Memory::kBase + transfer.address;
        train.length = transfer.length;
        train.payload = bench_.payloads.take();
        train.last_use = true;
        train.ready = {transfer.at + transfer.grain_in, transfer.at + transfer.all_in};
        train.token = i;
        train.use = TlpUse::payload;
        dma_.write(train, this);
    }
    void issue() {
        while (!waiting_.empty()) {
            const std::uint32_t i = waiting_.front();
            const ReadPiece piece{test::Memory::kBase + transfers_[i].address, transfers_[i].length, buffer_.data()};
            waiting_.pop_front();  // before the engine may say that there is space
            if (!dma_.try_read(ReadClass::payload, {&piece, 1}, i, {}, *this)) {
                waiting_.push_front(i);
                return;
            }
        }
    }

    const std::vector<Transfer>& transfers_;
    std::vector<Times> times_;
    std::deque<std::uint32_t> waiting_;
    std::vector<std::byte> buffer_ = std::vector<std::byte>(1U << 20U);
    test::Bench bench_;
    test::Memory memory_{1U << 20U};
    test::Interrupts interrupts_;
    test::Translations translations_;
    test::Bar bar_;
    DmaEngine dma_;
    PcieLink link_;
    RootComplex root_;
};

// The times as bytes, and nothing if the simulation fails.
std::string simulate(const Setup& setup, const std::vector<Transfer>& transfers) {
    try {
        const std::vector<Times> times = FastPcie(setup, transfers).run();
        return {reinterpret_cast<const char*>(times.data()), times.size() * sizeof(Times)};
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return {};
    }
}

}  // namespace

std::vector<Times> run_fast(const Setup& setup, const std::vector<Transfer>& transfers) {
    const auto found = test::in_child([&] { return simulate(setup, transfers); });
    std::vector<Times> times(transfers.size());
    if (!found || found->size() != times.size() * sizeof(Times)) {
        throw std::runtime_error("the simulation did not come to its end");
    }
    std::memcpy(times.data(), found->data(), found->size());
    return times;
}

}  // namespace ndsim::reference::pcie
