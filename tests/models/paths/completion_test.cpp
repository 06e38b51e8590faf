// SPDX-License-Identifier: Apache-2.0
#include "models/cq/completion_engine.hpp"
#include "models/host/interrupt_controller.hpp"
#include "tests/models/paths/host_path.hpp"

namespace ndsim::test::completion_test {

constexpr auto ser = HostPath::ser;

struct NoFault final : CqFaultPort {
    void cq_failed(CqNum) override { FAIL("no queue fails here"); }
};

// A completion engine in front of the link, with a queue of 16 entries and MSI-X vector 9.
struct CompletionPath : HostPath {
    static constexpr CqNum kCq{1};

    CompletionPath() : engine("cq", timeline, {}, kHost, ledgers, payloads) {
        engine.dma.bind(dma);
        engine.faults.bind(faults);
        engine.create_cq({kCq, Memory::kBase, 16, 16, 9, nullptr, Memory::kBase + 0xFF00});
    }
    void complete(bool behind_payload) {
        Cqe cqe;
        cqe.qp = kQp;
        engine.complete(kCq, cqe, now(), behind_payload);
    }
    void write_payload(std::uint32_t length) {
        WriteTrain train;
        train.to = Memory::kBase + 4096;
        train.length = length;
        train.payload = payloads.take();
        train.last_use = true;
        train.ready = {now(), now()};
        train.use = TlpUse::payload;
        dma.write(train, nullptr);
    }
    [[nodiscard]] Picoseconds visible(std::size_t n) const { return memory.writes.at(n).at; }

    NoFault faults;
    CompletionEngine engine;
};

TEST_CASE("path: the CQE of a Send is visible after its bytes on the link, one way and the root complex", "[formula]") {
    CompletionPath path;
    path.at(1us, [&] { path.complete(false); });
    path.run();
    // t(64 + 24) + 135 ns + 80 ns.
    CHECK(path.visible(0) == 1us + ser(88) + 215ns);
}

TEST_CASE("path: the CQE of a receive follows its payload's last byte on the link", "[formula]") {
    CompletionPath path;
    path.at(1us, [&] {
        path.write_payload(1000);  // 4 TLPs: 1096 bytes
        path.complete(true);
    });
    path.run();
    CHECK(path.visible(0) == 1us + ser(1096) + 215ns);
    CHECK(path.visible(1) == 1us + ser(1096 + 88) + 215ns);
}

TEST_CASE("path: an interrupt follows its CQE on the link, and the handler after msix_to_isr", "[formula]") {
    CompletionPath path;
    InterruptController controller("interrupts", path.timeline, {});
    std::vector<Picoseconds> handled;
    const std::uint32_t vector = controller.allocate_vector([&](Picoseconds at) { handled.push_back(at); });
    path.at(1us, [&] {
        path.engine.arm({.cq = CompletionPath::kCq, .wish = Arm::any});
        path.complete(false);
    });
    // t(4 + 24) behind the CQE, then 135 ns + 80 ns, then 1.2 us.
    const Picoseconds arrives = 1us + ser(88 + 28) + 215ns;
    path.at(arrives, [&] { controller.interrupt(vector, path.now()); });
    path.run();
    REQUIRE(path.interrupts.seen.size() == 1);
    CHECK(path.interrupts.seen[0].vector == 9);
    CHECK(path.interrupts.seen[0].at == arrives);
    CHECK(handled == std::vector<Picoseconds>{arrives + 1200ns});
}

}  // namespace ndsim::test::completion_test
