// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <set>

#include "models/ports/dma.hpp"
#include "models/ports/memory.hpp"
#include "models/ports/pcie.hpp"
#include "models/ports/translation.hpp"
#include "tests/support/bench.hpp"

// Doubles around the PCIe link and the DMA engine.
namespace ndsim::test {

// Host memory: one region. Writes down what became visible and when.
class Memory final : public MemoryPort {
public:
    static constexpr Address kBase{0x1000'0000};  // page-aligned

    explicit Memory(std::size_t size) : data(size) {}

    std::byte* bytes(Address address, std::uint64_t length) override {
        const std::uint64_t offset = raw(address) - raw(kBase);
        return raw(address) >= raw(kBase) && offset + length <= data.size() ? data.data() + offset : nullptr;
    }
    bool holds(Address address, std::uint64_t length) const override {
        const std::uint64_t offset = raw(address) - raw(kBase);
        return raw(address) >= raw(kBase) && offset + length <= data.size();
    }
    void written(Address address, std::uint64_t length, Picoseconds at) override {
        writes.push_back({raw(address) - raw(kBase), length, at});
        if (on_write) {
            on_write();
        }
    }

    struct Written {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        Picoseconds at{};
    };
    std::vector<std::byte> data;
    std::vector<Written> writes;
    std::function<void()> on_write;
};

// Translations that are all there, but for pages that the test takes away.
struct Translations final : TranslationPort {
    std::uint32_t use(Address address, std::uint32_t length, TranslationClient& client, std::uint32_t token) override {
        std::uint32_t count = 0;
        for (const Address page : missing) {
            if (raw(page) < raw(address) + length && raw(address) < raw(page) + 4096) {
                waiting.push_back({page, &client, token});
                ++count;
            }
        }
        return count;
    }
    void bring(Address page) {
        missing.erase(page);
        const auto theirs = std::stable_partition(waiting.begin(), waiting.end(),
                                                  [page](const Waiter& waiter) { return waiter.page != page; });
        const std::vector<Waiter> told(theirs, waiting.end());
        waiting.erase(theirs, waiting.end());
        for (const Waiter& waiter : told) {
            waiter.client->translated(waiter.token);
        }
    }
    struct Waiter {
        Address page{};
        TranslationClient* client = nullptr;
        std::uint32_t token = 0;
    };
    std::set<Address> missing;
    std::vector<Waiter> waiting;
};

struct Interrupts final : InterruptPort {
    void interrupt(std::uint32_t vector, Picoseconds at) override { seen.push_back({vector, at}); }

    struct Seen {
        std::uint32_t vector = 0;
        Picoseconds at{};
    };
    std::vector<Seen> seen;
};

// A BAR that takes stores at once, or `holds` them for a while.
struct Bar final : BarPort {
    Picoseconds arrive(Picoseconds at, const Mmio& mmio) override {
        stores.push_back({at, mmio});
        return at + holds;
    }

    struct Store {
        Picoseconds at{};
        Mmio mmio;
    };
    std::vector<Store> stores;
    Picoseconds holds{};
};

// What the link tells its device.
struct Device final : PcieClient {
    explicit Device(const Timeline& its_timeline) : timeline(its_timeline) {}

    void read_waited(std::uint32_t token, Interval wait) override { read_waits.push_back({token, wait}); }
    void write_waited(std::uint32_t token, Interval wait) override { write_waits.push_back({token, wait}); }
    void read_scheduled(std::uint32_t token, Interval arrival) override {
        reads.push_back({token, arrival, timeline.now()});
    }
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override {
        writes.push_back({token, issued, visible});
    }

    struct Wait {
        std::uint32_t token = 0;
        Interval wait;
    };
    std::vector<Wait> read_waits;
    std::vector<Wait> write_waits;
    struct Read {
        std::uint32_t token = 0;
        Interval arrival;
        Picoseconds told{};
    };
    struct Write {
        std::uint32_t token = 0;
        Picoseconds issued{};
        Picoseconds visible{};
    };
    const Timeline& timeline;
    std::vector<Read> reads;
    std::vector<Write> writes;
};

// A link that only writes down what it is given; the test answers.
struct SilentLink final : PciePort {
    explicit SilentLink(const Timeline& its_timeline) : timeline(its_timeline) {}

    void read(const ReadTrain& train) override { reads.push_back({train, timeline.now()}); }
    void write(const WriteTrain& train) override {
        writes.push_back({train, timeline.now()});
        if (on_write) {
            on_write(train);
        }
    }

    struct Read {
        ReadTrain train;
        Picoseconds at{};
    };
    struct Write {
        WriteTrain train;
        Picoseconds at{};
    };
    const Timeline& timeline;
    std::vector<Read> reads;
    std::vector<Write> writes;
    std::function<void(const WriteTrain&)> on_write;
};

// Somebody who reads by DMA.
struct Reader final : ReadClient {
    explicit Reader(const Timeline& its_timeline) : timeline(its_timeline) {}

    void read_arrives(std::uint32_t token, Interval data) override { arrived.push_back({token, data, timeline.now()}); }
    void read_space(ReadClass cls) override {
        space.push_back(timeline.now());
        if (on_space) {
            on_space(cls);
        }
    }

    struct Arrived {
        std::uint32_t token = 0;
        Interval data;
        Picoseconds told{};
    };
    const Timeline& timeline;
    std::vector<Arrived> arrived;
    std::vector<Picoseconds> space;
    std::function<void(ReadClass)> on_space;
};

struct Writer final : WriteClient {
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override {
        scheduled.push_back({token, issued, visible});
    }
    std::vector<Device::Write> scheduled;
};

}  // namespace ndsim::test
