// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "models/parts/read_shapes.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/root/root_complex.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pcie_doubles.hpp"

namespace ndsim::test {

// When the link has taken the stores of a core.
struct StoringCore final : StoreClient {
    void store_left() override {}
    void store_taken(Picoseconds at) override { taken.push_back(at); }
    std::vector<Picoseconds> taken;
};

// A link and a root complex, and what they stand between.
inline void join(PcieLink& link, RootComplex& root, PcieClient& device, BarPort& bar, MemoryPort& memory,
                 InterruptPort& interrupts) {
    link.client.bind(device);
    link.bar.bind(bar);
    link.root.bind(root.port);
    root.link.bind(link.root_events);
    root.memory.bind(memory);
    root.interrupts.bind(interrupts);
}

// A link and a root complex of preset B between doubles: Gen3 x16, 135 ns one way, MPS 256, MRRS 512, RCB 64.
struct PcieBench : Bench {
    explicit PcieBench(const PcieParams& its_params = {}, const RootParams& root_params = {})
        : params(its_params), link("link", timeline, params), root("root", timeline, root_params, {}, payloads) {
        join(link, root, device, bar, memory, interrupts);
        root.software_wrote(Memory::kBase, memory.data.size());  // reads find everything in the cache
    }

    // 16 lanes of 8 GT/s coded 128/130, 5 % of them lost: 8 bits / (128 Gb/s x 128/130 x 0.95) = 40625/608 ps a byte.
    static constexpr Picoseconds ser(std::int64_t bytes) { return Picoseconds{(bytes * 40625 + 607) / 608}; }

    void read(std::uint64_t offset, std::uint32_t length, std::uint32_t token, std::byte* into = nullptr) {
        if (into == nullptr) {
            scratch.resize(65536);
            into = scratch.data();
        }
        const Address from = Memory::kBase + offset;
        const std::span<const ReadRequest> requests = shapes.of(from, length);
        link.read({from, length, into, static_cast<std::uint32_t>(requests.size()), Bytes{requests.back().completed},
                   token, TlpUse::payload});
    }
    // A write whose data is there; its bytes are `fill`.
    void write(std::uint64_t offset, std::uint32_t length, std::uint32_t token, bool express = false,
               std::byte fill = std::byte{0xA5}) {
        WriteTrain train;
        train.to = Memory::kBase + offset;
        train.length = length;
        train.payload = payloads.take();
        std::memset(payloads.data(train.payload), std::to_integer<int>(fill), length);
        train.last_use = true;
        train.express = express;
        train.ready = {now(), now()};
        train.token = token;
        train.use = express ? TlpUse::cqe : TlpUse::payload;
        link.write(train);
    }
    void interrupt(std::uint32_t vector, std::uint32_t token, bool express) {
        WriteTrain train;
        train.to = Address{vector};
        train.interrupt = true;
        train.express = express;
        train.ready = {now(), now()};
        train.token = token;
        train.use = TlpUse::interrupt;
        link.write(train);
    }
    void check_done() const {
        check_at_rest(link);
        CHECK(payloads.in_use() == 0);
    }

    const PcieParams params;
    ReadShapes shapes{params};
    Memory memory{1U << 20U};
    Interrupts interrupts;
    Bar bar;
    StoringCore core;
    Device device{timeline};
    PcieLink link;
    RootComplex root;
    std::vector<std::byte> scratch;
};

// The same with credits for 34 reads, of which 35 of this length come at 0 ns.
struct ThirtyFiveReads : PcieBench {
    explicit ThirtyFiveReads(std::uint32_t length) : PcieBench(credits()) {
        at(Picoseconds{}, [this, length] {
            for (std::uint32_t i = 0; i < 35; ++i) {
                read(i * 512ULL, length, i);
            }
        });
    }

private:
    static PcieParams credits() {
        PcieParams params;
        params.nonposted_headers = 34;
        return params;
    }
};

}  // namespace ndsim::test
