// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/request_book.hpp"

#include <utility>

#include "ndapi/windows/abi/ntstatus.h"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::request_book_test {

using core::Posted;
using core::Retired;

constexpr QpNum kTheQp{0x11};

// What an observer hears. The ledgers of retired requests are gone afterwards.
struct Ear final : core::RequestObserver {
    void posted(HostId host, const Posted& request) override {
        hosts.push_back(host);
        begun.push_back(request);
    }
    void retired(HostId host, const Retired& request) override {
        hosts.push_back(host);
        ended.push_back(request);
        polls.push_back(request.ledger->accounts[static_cast<std::size_t>(Account::poll)]);
        totals.push_back(request.ledger->total());
    }
    std::vector<HostId> hosts;
    std::vector<Posted> begun;
    std::vector<Retired> ended;
    std::vector<Picoseconds> polls;
    std::vector<Picoseconds> totals;
};

struct BookBench : Bench {
    BookBench() { book.observe(ear); }

    std::uint32_t post(OperationKind kind, bool silent = false) {
        (kind == OperationKind::receive ? watch.rq : watch.sq).take(1, 1us);
        return book.open({0, kind, 1us, kTheQp, &watch, silent}).id.number;
    }
    [[nodiscard]] Retired retired(std::uint32_t request, OperationKind kind, bool silent = false) {
        if (kind != OperationKind::receive) {
            watch.sq_completed.take(1, 2us);
        }
        return {kTheQp, kind, STATUS_SUCCESS, 0, silent, request, false, &watch, &slots, nullptr, nullptr, 0};
    }
    // Slots in use at a time.
    static std::uint64_t level(Pool& pool, Picoseconds at) {
        pool.settle(at);
        return static_cast<std::uint64_t>(pool.occupancy().level());
    }

    QpWatch watch{"watch", timeline, {}};
    SrqWatch shared{"shared", timeline, {}};
    core::ReturnedSlots slots;
    LedgerBook& host_ledgers = ledgers.of(HostId{1});
    core::Registry registry{HostId{1}};
    core::RequestBook book{HostId{1}, host_ledgers, registry};
    Ear ear;
};

TEST_CASE("request book: building goes to post, and the wait for the poll to poll") {
    BookBench bench;
    const std::uint32_t request = bench.post(OperationKind::send);
    bench.book.built(request, 1050ns);
    const Ledger& ledger = *bench.host_ledgers.find(request);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::post)] == 50ns);
    bench.host_ledgers.complete(request, 2us);
    bench.book.retire(bench.retired(request, OperationKind::send));
    CHECK(bench.host_ledgers.open_count() == 1);  // until the poll returns
    bench.book.close(2100ns);
    CHECK(bench.ear.polls == std::vector<Picoseconds>{100ns});    // 2100 ns - 2 us
    CHECK(bench.ear.totals == std::vector<Picoseconds>{1100ns});  // 2100 ns - 1 us
    CHECK(bench.host_ledgers.open_count() == 0);
}

TEST_CASE("request book: slots of the send queue are given back when the poll returns") {
    BookBench bench;
    const std::uint32_t request = bench.post(OperationKind::write);
    bench.book.retire(bench.retired(request, OperationKind::write));
    CHECK(BookBench::level(bench.watch.sq, 3us) == 1);
    bench.book.close(4us);
    CHECK(BookBench::level(bench.watch.sq, 4us) == 0);
    CHECK(BookBench::level(bench.watch.sq_completed, 4us) == 0);
    CHECK(bench.slots.next() == 4us);
    CHECK(bench.watch.sq.residence() == 3'000'000);  // ps: 1 us to 4 us
}

TEST_CASE("request book: a slot that is free already is not given back twice", "[K57]") {
    BookBench bench;
    const std::uint32_t request = bench.post(OperationKind::send);
    Retired retired = bench.retired(request, OperationKind::send);
    retired.slot_is_free = true;
    bench.book.retire(retired);
    bench.book.close(4us);
    CHECK(BookBench::level(bench.watch.sq, 4us) == 1);  // whoever freed the slot has counted that
    CHECK(bench.host_ledgers.open_count() == 0);
}

TEST_CASE("request book: a receive gives back its slot of the receive queue") {
    BookBench bench;
    const std::uint32_t request = bench.post(OperationKind::receive);
    CHECK(bench.host_ledgers.find(request)->receives);
    bench.book.retire(bench.retired(request, OperationKind::receive));
    bench.book.close(4us);
    CHECK(BookBench::level(bench.watch.rq, 4us) == 0);
    CHECK(BookBench::level(bench.watch.sq, 4us) == 0);
}

TEST_CASE("request book: a shared receive gives back as many slots as its ring has back") {
    BookBench bench;
    bench.shared.srq.take(3, 1us);
    const std::uint32_t request =
        bench.book.open({0, OperationKind::receive, 1us, std::nullopt, &bench.shared, false}).id.number;
    Retired retired = bench.retired(request, OperationKind::receive);
    retired.srq = &bench.shared;
    retired.srq_slots = 2;
    bench.book.retire(retired);
    bench.book.close(4us);
    CHECK(BookBench::level(bench.shared.srq, 4us) == 1);
    CHECK_FALSE(bench.ear.begun.at(0).qp.has_value());
}

TEST_CASE("request book: a silent request is not charged for a poll", "[K52]") {
    BookBench bench;
    const std::uint32_t silent = bench.post(OperationKind::send, true);
    const std::uint32_t told = bench.post(OperationKind::send);
    CHECK(bench.host_ledgers.find(silent)->silent);
    bench.host_ledgers.mark(silent, {{Account::ack_return, 1500ns}});
    bench.host_ledgers.complete(told, 2us);
    bench.book.retire(bench.retired(silent, OperationKind::send, true));
    bench.book.retire(bench.retired(told, OperationKind::send));
    bench.book.close(2100ns);
    CHECK(bench.ear.polls == std::vector<Picoseconds>{0ns, 100ns});
    CHECK(bench.ear.totals == std::vector<Picoseconds>{500ns, 1100ns});  // from 1 us to 1500 ns, to 2100 ns
    CHECK(BookBench::level(bench.watch.sq, 3us) == 0);
}

TEST_CASE("request book: observers hear of posts and ends, in order, with the host") {
    BookBench bench;
    Ear second;
    bench.book.observe(second);
    const std::uint32_t send = bench.post(OperationKind::send);
    const std::uint32_t receive = bench.post(OperationKind::receive);
    CHECK(send != receive);
    bench.book.retire(bench.retired(receive, OperationKind::receive));
    bench.book.retire(bench.retired(send, OperationKind::send));
    CHECK(second.ended.empty());
    bench.book.close(4us);
    bench.book.close(5us);  // nothing is left
    for (const Ear* const ear : {&std::as_const(bench.ear), &std::as_const(second)}) {
        REQUIRE(ear->begun.size() == 2);
        CHECK(ear->begun[0].request == send);
        CHECK(ear->begun[0].kind == OperationKind::send);
        CHECK(ear->begun[0].begun == 1us);
        CHECK(ear->begun[0].qp == kTheQp);
        CHECK(ear->begun[0].watch == &bench.watch);
        CHECK(ear->begun[1].request == receive);
        REQUIRE(ear->ended.size() == 2);
        CHECK(ear->ended[0].request == receive);
        CHECK(ear->ended[1].request == send);
        CHECK(ear->hosts == std::vector<HostId>(4, HostId{1}));
    }
}

}  // namespace ndsim::test::request_book_test
