// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/models/dma/dma_bench.hpp"

namespace ndsim::test::read_turns_test {

constexpr auto ser = DmaBench::ser;

TEST_CASE("dma: each class keeps its reserved requests, however many the others want", "[limit]") {
    DmaBench bench({.tags = 12, .reserved = 2});
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 8 * 512}}, 1));
        CHECK(bench.link.reads.back().train.length == 4 * 512);  // 4 x 2 stay free
        CHECK(bench.read(kWqe, {{0, 512}}, 2));
        CHECK(bench.read(kReceiveWqe, {{0, 1024}}, 3));
        CHECK(bench.read(ReadClass::context, {{0, 1024}}, 4));
        CHECK(bench.read(ReadClass::translation, {{0, 1024}}, 5));
        CHECK(bench.link.reads.size() == 5);
        CHECK(bench.link.reads.back().train.length == 1024);
    });
    bench.at(100ns, [&] {
        bench.answer(0, {300ns, 300ns + ser(4 * 552)});
        for (std::size_t i = 1; i < 5; ++i) {
            bench.answer(i, {500ns + i * 100ns, 580ns + i * 100ns});
        }
    });
    bench.at(2us, [&] {
        for (std::size_t i = 5; i < bench.link.reads.size(); ++i) {
            bench.answer(i, {2100ns, 2200ns});
        }
    });
    bench.run();
    CHECK(bench.reader.arrived.size() == 5);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: all reserves together leave one class at least a sixth") {
    DmaBench bench({.tags = 6, .reserved = 2});
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 2 * 512}}, 1));
        CHECK(bench.link.reads.back().train.length == 2 * 512);  // 6 less 4 x 1
        CHECK(bench.read(ReadClass::translation, {{0, 512}}, 2));
        CHECK(bench.link.reads.size() == 2);
    });
    bench.at(100ns, [&] {
        bench.answer(0, {300ns, 380ns});
        bench.answer(1, {380ns, 420ns});
    });
    bench.run();
    CHECK(bench.reader.arrived.size() == 2);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: a class's request counts against its reserve until its last byte is there") {
    DmaBench bench({.tags = 12, .reserved = 2});
    bench.at(0ns, [&] {
        CHECK(bench.read(kWqe, {{0, 1024}}, 1));         // both of its reserve
        CHECK(bench.read(kReceiveWqe, {{0, 1024}}, 2));  // likewise
    });
    bench.at(100ns, [&] {
        bench.answer(0, {300ns, 380ns});  // known, but still on their way
        bench.answer(1, {380ns, 460ns});
    });
    bench.at(200ns, [&] {
        CHECK(bench.read(kPayload, {{0, 4 * 512}}, 3));
        CHECK(bench.link.reads.size() == 3);
        CHECK(bench.link.reads.back().train.length == 4 * 512);  // 12, less the 4 on their way and 2 x 2 kept
        bench.answer(2, {500ns, 700ns});
    });
    bench.run();
    CHECK(bench.reader.arrived.size() == 3);
    check_at_rest(bench.dma);
}

// At 400 ns the three reads behind the first are there, sent at 300 ns, and are answered.
void answer_three_at_400ns(DmaBench& bench) {
    bench.at(400ns, [&bench] {
        REQUIRE(bench.link.reads.size() == 4);
        for (std::size_t i = 1; i < 4; ++i) {
            CHECK(bench.link.reads[i].at == 300ns);
            bench.answer(i, {500ns, 540ns});
        }
    });
}

TEST_CASE("dma: when requests come back, every class that waits gets its turn") {
    DmaBench bench({.tags = 6, .reserved = 0});
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 6 * 512}}, 1));
        CHECK(bench.read(kWqe, {{0, 512}}, 2));
        CHECK(bench.read(kReceiveWqe, {{0, 512}}, 3));
        CHECK(bench.read(kPayload, {{0, 512}}, 4));
        CHECK(bench.link.reads.size() == 1);
    });
    // All six come back in one picosecond, for the test's sake.
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns}); });
    answer_three_at_400ns(bench);
    bench.run();
    CHECK(bench.reader.arrived.size() == 4);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: with one request free at a time the classes take turns") {
    DmaBench bench({.tags = 1, .reads = 4});
    std::vector<TlpUse> order;
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 4 * 512}}, 1));
        CHECK(bench.read(kWqe, {{0, 4 * 512}}, 2));
        CHECK(bench.read(kReceiveWqe, {{0, 4 * 512}}, 3));
    });
    for (std::int64_t i = 0; i < 12; ++i) {
        bench.at(i * 100ns + 50ns, [&bench, i] {
            const auto n = static_cast<std::size_t>(i);
            REQUIRE(bench.link.reads.size() == n + 1);
            bench.answer(n, {bench.now() + 20ns, bench.now() + 40ns});
        });
    }
    bench.run();
    CHECK(bench.reader.arrived.size() == 3);
    // No class gets a second request before each of the others has had one.
    for (std::size_t i = 1; i + 3 < 12; i += 3) {
        const auto use = [&](std::size_t n) { return bench.link.reads.at(n).train.use; };
        CHECK(use(i) != use(i + 1));
        CHECK(use(i + 1) != use(i + 2));
        CHECK(use(i) != use(i + 2));
    }
    check_at_rest(bench.dma);
}

// As a context read does whose miss follows from the one before: it begins in the moment in which the tag comes back.
TEST_CASE("dma: a read that begins when a request comes back does not pass one that waits") {
    DmaBench bench({.tags = 1});
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 512}}, 1));
        CHECK(bench.read(kWqe, {{0, 512}}, 2));
    });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns}); });
    bench.at(300ns, [&] { CHECK(bench.read(kPayload, {{0, 512}}, 3)); });
    bench.at(400ns, [&] {
        REQUIRE(bench.link.reads.size() == 2);
        CHECK(bench.link.reads[1].train.use == TlpUse::wqe);
        bench.answer(1, {500ns, 500ns});
    });
    bench.at(600ns, [&] {
        REQUIRE(bench.link.reads.size() == 3);
        CHECK(bench.link.reads[2].train.use == TlpUse::payload);
        bench.answer(2, {700ns, 700ns});
    });
    bench.run();
    check_at_rest(bench.dma);
}

// Has reads of 512 bytes, and tries the next one as soon as it may.
class Greedy final : public ReadClient {
public:
    Greedy(DmaBench& bench, char name, std::string& ended, int reads)
        : bench_(bench), name_(name), ended_(ended), left_(reads) {}

    void ask() {
        const ReadPiece piece{Memory::kBase, 512, bench_.buffer.data()};
        while (left_ > 0 && bench_.dma.try_read(kPayload, {&piece, 1}, 0, {}, *this)) {
            --left_;
        }
    }
    void read_arrives(std::uint32_t, Interval) override { ended_ += name_; }
    void read_space(ReadClass) override { ask(); }

private:
    DmaBench& bench_;
    const char name_;
    std::string& ended_;
    int left_;
};

// Three tags come back at once: for payload that waits, for the context, and for payload whose unit was refused before.
TEST_CASE("dma: a read that lets others go first is sent in the same moment if there are tags for all") {
    DmaBench bench({.tags = 3});
    std::string ended;
    Greedy greedy(bench, 'g', ended, 2);
    bench.at(0ns, [&] {
        CHECK(bench.read(kPayload, {{0, 3 * 512}}, 1));
        greedy.ask();  // one read waits, and one is refused
        CHECK(bench.read(ReadClass::context, {{0, 512}}, 2));
    });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns}); });
    answer_three_at_400ns(bench);
    bench.run();
    CHECK(ended == "gg");
    check_at_rest(bench.dma);
}

TEST_CASE("dma: units whose reads are of one class take turns when tags are few") {
    DmaBench bench({.tags = 1});
    std::string ended;
    Greedy a(bench, 'a', ended, 5);
    Greedy b(bench, 'b', ended, 5);
    bench.at(0ns, [&] {
        a.ask();  // one read is sent, and one waits for the tag
        b.ask();
    });
    for (std::size_t i = 0; i < 10; ++i) {
        const Picoseconds at = 100ns * static_cast<std::int64_t>(i + 1);
        bench.at(at, [&bench, at, i] { bench.answer(i, {at + 10ns, at + 20ns}); });
    }
    bench.run();
    // The third read of `a` was refused before the first of `b`; from then on they take turns.
    CHECK(ended == "aaabababbb");
    check_at_rest(bench.dma);
}

}  // namespace ndsim::test::read_turns_test
