// SPDX-License-Identifier: Apache-2.0
#include "models/ledger/ledger.hpp"

#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "sim/base/payload_pool.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::ledger_test {

using namespace std::chrono_literals;

Picoseconds sum(const Ledger& ledger) {
    return std::accumulate(ledger.accounts.begin(), ledger.accounts.end(), Picoseconds{});
}

TEST_CASE("ledger: marks charge the time since the last one, earlier ones nothing") {
    LedgerBook book(HostId{1});
    Ledger& ledger = book.open(100ns);
    CHECK(ledger.id == RequestId{HostId{1}, 1});
    ledger.mark(Account::post, 150ns);
    ledger.mark(Account::doorbell, 140ns);  // was over before
    ledger.mark(Account::wire, 400ns);
    ledger.mark(Account::wire, 500ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::post)] == 50ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::doorbell)] == 0ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wire)] == 350ns);
    CHECK(ledger.total() == 400ns);
}

TEST_CASE("ledger: a path is the stays in time order, without those that took no time") {
    Ledgers ledgers(1);
    LedgerBook& book = ledgers.of(HostId{0});
    CHECK(book.open(0ns).path == nullptr);  // nobody wants to know
    ledgers.keep_paths();
    const std::uint32_t number = book.open(100ns).id.number;
    book.mark(number, {{Account::arbitration, 150ns}});
    book.mark(number, {{Account::wqe_fetch, 400ns}});
    book.mark(number, {{Account::context, 300ns}});  // was over before
    book.mark(number, {{Account::arbitration, 450ns}});
    book.mark(number, {{Account::arbitration, 475ns}});  // goes on
    const std::vector<Stay> expected{
        {Account::arbitration, 150ns}, {Account::wqe_fetch, 400ns}, {Account::arbitration, 475ns}};
    CHECK(*book.find(number)->path == expected);
    for (int i = 0; i < 100; ++i) {
        book.open(500ns);  // moves the ledgers
    }
    CHECK(*book.find(number)->path == expected);
    book.close(*book.find(number));
    CHECK(book.open(500ns).path->empty());  // in the same place
}

TEST_CASE("ledger: the accounts add up to the total under any marks") {
    std::mt19937 random(3);  // NOLINT(cert-msc51-cpp): the same on every run
    for (int run = 0; run < 200; ++run) {
        LedgerBook book(HostId{0});
        const Picoseconds begun{random() % 1'000'000};
        Picoseconds latest = begun;
        Ledger& ledger = book.open(begun);
        for (int i = 0; i < 50; ++i) {
            const Picoseconds at{random() % 2'000'000};
            book.mark(ledger.id.number, {{static_cast<Account>(random() % kAccounts), at}});
            latest = std::max(latest, at);
        }
        REQUIRE(sum(ledger) == ledger.total());
        REQUIRE(ledger.total() == latest - begun);
    }
}

std::uint32_t opened(LedgerBook& book, std::initializer_list<Stay> stays) {
    const std::uint32_t number = book.open(0ns).id.number;
    book.mark(number, stays);
    return number;
}

TEST_CASE("ledger: an end before the latest stay is over cuts it, in the accounts and in the path") {
    LedgerBook book(HostId{0});
    book.keep_paths();
    const std::uint32_t number = opened(book, {{Account::tx, 10ns}, {Account::wire, 60ns}});
    book.end(number, Account::ack_return, 40ns);
    const Ledger& ledger = *book.find(number);
    CHECK(ledger.total() == 40ns);
    CHECK(sum(ledger) == 40ns);
    CHECK(*ledger.path == std::vector<Stay>{{Account::tx, 10ns}, {Account::wire, 40ns}});
    book.mark(number, {{Account::rx_buffer, 70ns}});  // its packet arrives all the same
    CHECK(ledger.total() == 40ns);
    book.mark_completion(number, {{Account::cqe, 45ns}, {Account::credits, 50ns}});
    book.complete(number, 55ns);
    book.mark_completion(number, {{Account::credits, 70ns}});
    CHECK(ledger.total() == 55ns);
    CHECK(sum(ledger) == 55ns);
    CHECK(ledger.completion == 55ns);
}

TEST_CASE("ledger: an end before the latest stay begins leaves nothing of it") {
    LedgerBook book(HostId{0});
    book.keep_paths();
    const std::uint32_t number = opened(book, {{Account::tx, 10ns}, {Account::wire, 60ns}});
    book.settle(number, 5ns);
    const Ledger& ledger = *book.find(number);
    CHECK(ledger.total() == 10ns);
    CHECK(sum(ledger) == 10ns);
    CHECK((ledger.charged >> static_cast<unsigned>(Account::wire) & 1U) == 0);
    CHECK(*ledger.path == std::vector<Stay>{{Account::tx, 10ns}});
}

// The first packet arrives at 60 ns, and its answer at 120 ns. Meanwhile the request is sent again, twice.
TEST_CASE("ledger: what was sent again in vain is no time of the request") {
    LedgerBook book(HostId{0});
    book.keep_paths();
    const std::uint32_t number = opened(book, {{Account::tx, 10ns}, {Account::wire, 60ns}, {Account::dma_write, 65ns}});
    for (const Picoseconds again : {80ns, 100ns}) {
        book.fork(number);
        book.mark(number, {{Account::retransmit, again}, {Account::tx, again + 10ns}, {Account::wire, again + 60ns}});
    }
    CHECK(book.find(number)->total() == 160ns);
    book.end(number, Account::ack_return, 120ns);
    const Ledger& ledger = *book.find(number);
    CHECK(ledger.sent_again);
    CHECK(ledger.total() == 120ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::retransmit)] == 0ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::ack_return)] == 55ns);
    CHECK(*ledger.path ==
          std::vector<Stay>{
              {Account::tx, 10ns}, {Account::wire, 60ns}, {Account::dma_write, 65ns}, {Account::ack_return, 120ns}});
    // The answer to the second packet may come: then what it has taken is the request's.
    const std::uint32_t late = opened(book, {{Account::wire, 60ns}});
    book.fork(late);
    book.mark(late, {{Account::retransmit, 80ns}, {Account::wire, 130ns}});
    book.end(late, Account::ack_return, 190ns);
    CHECK(book.find(late)->accounts[static_cast<std::size_t>(Account::retransmit)] == 20ns);
    CHECK(book.find(late)->total() == 190ns);
    // Another request with the same place has nothing of it.
    book.close(*book.find(number));
    const std::uint32_t next = opened(book, {{Account::wire, 200ns}});
    CHECK_FALSE(book.find(next)->sent_again);
    book.end(next, Account::ack_return, 150ns);
    CHECK(book.find(next)->total() == 150ns);
}

TEST_CASE("ledger book: finds what is open, and nothing else, whatever the order of closing") {
    LedgerBook book(HostId{0});
    std::set<std::uint32_t> open;
    std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): the same on every run
    std::uint32_t newest = 0;
    for (int i = 0; i < 20'000; ++i) {
        // Grows to some hundreds, so that the table grows too, and wraps over it with old ones still open.
        if (open.empty() || random() % 1000 < (i < 10'000 ? 520U : 480U)) {
            Ledger& ledger = book.open(Picoseconds{i});
            REQUIRE(ledger.id.number == ++newest);
            REQUIRE(ledger.total() == 0ns);
            REQUIRE(sum(ledger) == 0ns);
            ledger.mark(Account::wire, Picoseconds{i + 7});
            open.insert(newest);
        } else {
            auto victim = open.lower_bound(static_cast<std::uint32_t>(random() % (newest + 1)));
            victim = victim == open.end() ? open.begin() : victim;
            book.close(*book.find(*victim));
            REQUIRE(book.find(*victim) == nullptr);
            open.erase(victim);
        }
        REQUIRE(book.open_count() == open.size());
        if (i % 100 == 0) {
            for (const std::uint32_t number : open) {
                REQUIRE(book.find(number) != nullptr);
                REQUIRE(book.find(number)->id.number == number);
                REQUIRE(book.find(number)->total() == Picoseconds{7});  // as it was marked
            }
        }
    }
    CHECK(newest > 9000);
    CHECK(book.find(newest + 1) == nullptr);
    CHECK_NOTHROW(book.mark(newest + 1, {{Account::wire, 1us}}));
}

TEST_CASE("ledger book: one that stays open is found among many that come and go at its place") {
    LedgerBook book(HostId{0});
    book.open(0ns).mark(Account::wire, 5ns);
    std::vector<std::uint32_t> others;
    for (int i = 0; i < 10'000; ++i) {
        others.push_back(book.open(0ns).id.number);
        if (others.size() == 20) {
            for (const std::uint32_t number : others) {
                book.close(*book.find(number));
            }
            others.clear();
        }
        REQUIRE(book.find(1) != nullptr);
        REQUIRE(book.find(1)->total() == 5ns);
    }
}

TEST_CASE("ledgers: a request belongs to its host, and number 0 is no request") {
    Ledgers ledgers(2);
    Ledger& a = ledgers.of(HostId{0}).open(0ns);
    Ledger& b = ledgers.of(HostId{1}).open(0ns);
    CHECK(a.id.number == b.id.number);
    ledgers.mark(b.id, Account::poll, 5ns);
    ledgers.mark({}, Account::poll, 9ns);
    CHECK(a.total() == 0ns);
    CHECK(b.total() == 5ns);
}

TEST_CASE(
    "ledger: who watches hears of every interval that is charged and every receive that is taken, and of no other") {
    struct Watch final : LedgerWatch {
        void charges(const Ledger& ledger) override {
            CHECK(ledger.id == RequestId{HostId{1}, 1});
            kept.push_back(ledger.last);
        }
        void taken(const Ledger& ledger, Picoseconds at) override {
            CHECK(ledger.id == RequestId{HostId{1}, 1});
            begun.push_back(at);
        }
        std::vector<Picoseconds> kept;
        std::vector<Picoseconds> begun;
    } watch;
    Ledgers ledgers(2);
    Ledger& before = ledgers.of(HostId{0}).open(0ns);
    ledgers.watch(watch);
    before.mark(Account::post, 5ns);  // it was opened earlier
    (void)ledgers.of(HostId{1}).open(10ns);
    const RequestId request{HostId{1}, 1};
    ledgers.mark(request, Account::slot, 10ns);  // no time
    ledgers.mark(request, Account::post, 30ns);
    ledgers.mark(request, Account::doorbell, 25ns);  // it was over before
    ledgers.mark(request, Account::wire, 31ns);
    ledgers.take(request, 33ns);
    ledgers.take({HostId{1}, 2}, 33ns);  // there is no such ledger
    ledgers.take({}, 34ns);              // no request
    CHECK(watch.begun == std::vector<Picoseconds>{33ns});
    CHECK(watch.kept == std::vector<Picoseconds>{10ns, 30ns});  // post until 30 ns, wire until 31 ns
}

TEST_CASE("ledger: every account has a name of its own") {
    const auto names = account_names();
    CHECK(std::set<std::string_view>(names.begin(), names.end()).size() == kAccounts);
    CHECK(names[static_cast<std::size_t>(Account::payload_read)] == "payload_read");
    CHECK(names[static_cast<std::size_t>(Account::message)] == "message");
    CHECK(names[static_cast<std::size_t>(Account::poll)] == "poll");
}

TEST_CASE("payload pool: counts what is out, and hands out last what came back last") {
    PayloadPool pool;
    const PayloadRef a = pool.take();
    const PayloadRef b = pool.take();
    CHECK(a != PayloadRef::none);
    CHECK(a != b);
    CHECK(pool.in_use() == 2);
    std::byte* const where = pool.data(a);
    pool.give(PayloadRef::none);
    CHECK(pool.in_use() == 2);
    pool.give(b);
    pool.give(a);
    CHECK(pool.in_use() == 0);
    CHECK(pool.take() == a);
    CHECK(pool.data(a) == where);
}

}  // namespace ndsim::test::ledger_test
