// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "models/root/root_complex.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pcie_doubles.hpp"

namespace ndsim::test {

// A root complex of preset B, without a link: what arrives when is the test's word.
struct RootBench : Bench, RootClient {
    explicit RootBench(const RootParams& params = {}, const IommuParams& iommu = {})
        : root("root", timeline, params, iommu, payloads) {
        root.link.bind(*this);
        root.memory.bind(memory);
        root.interrupts.bind(interrupts);
    }

    void read_ready(const ReadTrain& train) override { ready[train.token] = now(); }

    // A read that arrives at `at`; ready[token] says when it was answered.
    void read(Picoseconds at, std::uint64_t offset, std::uint32_t length, std::uint32_t token, QpNum behind = {}) {
        root.read({Memory::kBase + offset, length, scratch.data(), 1, Bytes{length}, token, TlpUse::payload, behind},
                  at);
    }
    // When a write is visible whose last byte arrives at `at`.
    Picoseconds write(Picoseconds at, std::uint64_t offset, std::uint32_t length, bool relaxed = false, QpNum qp = {}) {
        WriteTrain train;
        train.qp = qp;
        train.to = Memory::kBase + offset;
        train.length = length;
        train.payload = payloads.take();
        train.last_use = true;
        train.relaxed = relaxed;
        return root.write(train, at);
    }

    Memory memory{64U << 20U};
    Interrupts interrupts;
    RootComplex root;
    std::map<std::uint32_t, Picoseconds> ready;
    std::vector<std::byte> scratch{std::size_t{1} << 16U};
};

}  // namespace ndsim::test
