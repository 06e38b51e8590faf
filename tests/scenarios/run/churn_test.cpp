// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <ctime>
#include <deque>
#include <memory>

#include "tests/ndapi/ndk/ndk_pair.hpp"
#include "tests/ndapi/ndspi/nd2_pair.hpp"

// Connections that come and go: what is closed is given back, in the NIC, in the driver and in the simulation's books.
namespace ndsim::test {

namespace {

constexpr std::size_t kLive = 16;
const std::vector<std::string> kLongRun{"limits.time=3600s"};

// What a process has on the heap, and the processor's time that it has used: after some connections, and after all.
class ChurnCost {
public:
    ChurnCost(std::size_t early, std::size_t all) : early_(early), all_(all) {}

    [[nodiscard]] std::size_t all() const { return all_; }
    void made(std::size_t connections) {
        if (connections == early_ || connections == all_) {
            const struct mallinfo2 heap = mallinfo2();
            (connections == early_ ? first_ : last_) = Reading{heap.uordblks + heap.hblkhd, std::clock()};
        }
    }
    // Bytes beyond those of the early connections.
    [[nodiscard]] std::size_t growth() const { return std::max(last_.bytes, first_.bytes) - first_.bytes; }
    // Time of one of the later connections by that of one of the early ones.
    [[nodiscard]] double slowdown() const {
        const auto later = static_cast<double>(last_.time - first_.time) / static_cast<double>(all_ - early_);
        return later / (static_cast<double>(first_.time) / static_cast<double>(early_));
    }

private:
    struct Reading {
        std::size_t bytes = 0;
        std::clock_t time{};
    };
    const std::size_t early_;
    const std::size_t all_;
    Reading first_;
    Reading last_;
};

// --- NDKPI: each connection has a queue pair and a connector of its own on both sides.
struct NdkLink {
    NDK_QP* qp = nullptr;
    NDK_CONNECTOR* connector = nullptr;
};

void add_link(Party& party, std::deque<NdkLink>& links) {
    links.push_back({party.qp, party.connector});
    if (links.size() > kLive) {
        party.close(links.front().connector);
        party.close(links.front().qp->Dispatch->NdkCloseQp, links.front().qp);
        links.pop_front();
    }
}

void churn_ndk(ChurnCost& cost) {
    run_hosts(
        [&](HostContext& host) {
            Party a(host);
            std::deque<NdkLink> links;
            host.sleep(std::chrono::microseconds{100});
            for (std::size_t made = 1; made <= cost.all(); ++made) {
                a.qp = a.new_qp();
                a.connector = a.new_connector();
                expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "it connects");
                expect(a.complete(a.connector) == STATUS_SUCCESS, "the connect is completed");
                expect(a.send(64) == STATUS_SUCCESS && a.next().Status == STATUS_SUCCESS, "a Send");
                add_link(a, links);
                cost.made(made);
            }
        },
        [&](HostContext& host) {
            Party b(host);
            b.listen();
            std::deque<NdkLink> links;
            for (std::size_t made = 1; made <= cost.all(); ++made) {
                b.connector = b.next_offered();
                b.qp = b.new_qp();
                expect(b.receive(64) == STATUS_SUCCESS, "a receive");
                expect(b.accept(b.connector, b.qp) == STATUS_SUCCESS, "it accepts");
                expect(b.next().Status == STATUS_SUCCESS, "the message arrives");
                add_link(b, links);
            }
        },
        kLongRun);
}

// --- NDSPI 2: likewise, and each connection has a completion queue of its own, too.
struct Nd2Link {
    Ref<IND2CompletionQueue> cq;
    Ref<IND2QueuePair> qp;
    Ref<IND2Connector> connector;
};

using Nd2Links = std::deque<std::unique_ptr<Nd2Link>>;

void new_objects(Nd2Party& party) {
    expect(party.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, party.file, 64, 0, 0, party.cq.out()) ==
               ND_SUCCESS,
           "a CQ is created");
    party.make_qp(party.qp, {});
    party.make_connector(party.connector);
}

void add_link(Nd2Party& party, Nd2Links& links) {
    auto link = std::make_unique<Nd2Link>();
    *link->cq.put() = std::exchange(*party.cq.put(), nullptr);
    *link->qp.put() = std::exchange(*party.qp.put(), nullptr);
    *link->connector.put() = std::exchange(*party.connector.put(), nullptr);
    links.push_back(std::move(link));
    if (links.size() > kLive) {
        links.front()->connector.reset();
        links.front()->qp.reset();
        links.pop_front();
    }
    new_objects(party);
}

void churn_nd2(ChurnCost& cost) {
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Links links;
            a.os.sleep(1);
            for (std::size_t made = 1; made <= cost.all(); ++made) {
                expect(a.connect("B") == ND_SUCCESS && a.complete() == ND_SUCCESS, "it connects");
                expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
                add_link(a, links);
                cost.made(made);
            }
        },
        [&](Nd2Party& b) {
            b.listen();
            Nd2Links links;
            for (std::size_t made = 1; made <= cost.all(); ++made) {
                expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request comes");
                expect(b.receive(64) == ND_SUCCESS && b.accept() == ND_SUCCESS, "it accepts");
                expect(b.next().Status == ND_SUCCESS, "the message arrives");
                add_link(b, links);
            }
        },
        kLongRun);
}

}  // namespace

// 1,024 numbers rest, so 2,000 connections have made all tables as long as they get. Anything kept of a connection,
// were it four bytes, would be 32,000 bytes of 8,000 connections.
TEST_CASE("churn: what NDK closes is given back") {
    ChurnCost cost(2'000, 10'000);
    churn_ndk(cost);
    CHECK(cost.growth() < 32'000);
}

TEST_CASE("churn: what NDSPI closes is given back, completion queues too") {
    ChurnCost cost(2'000, 10'000);
    churn_nd2(cost);
    CHECK(cost.growth() < 32'000);
}

// A table that is moved, or searched, for each connection would make the later ones ten times as slow.
TEST_CASE("churn: 200,000 connections cost what 20,000 do, each", "[long]") {
    ChurnCost cost(20'000, 200'000);
    churn_ndk(cost);
    CHECK(cost.growth() < 5'000'000);
    CHECK(cost.slowdown() < 2);
}

}  // namespace ndsim::test
