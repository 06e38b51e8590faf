// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

// What an arm does that finds entries, or another arm, and the switches of ndkpi.md 5.4.
namespace ndsim::test::arm_test {

constexpr CqNum kCq = CqBench::kCq;

struct Found {
    Arm arm;
    WcStatus status;
    bool solicited;
    bool literal;  // whether the arm is met at once
    bool typed;
    bool typed_with_errors_on_failed;
};
// ndkpi.md 5.4: literal takes any new entry; typed what the table lets meet the arm.
constexpr Found kFound[] = {
    {Arm::any, WcStatus::success, false, true, true, true},
    {Arm::solicited, WcStatus::success, false, true, false, false},
    {Arm::solicited, WcStatus::success, true, true, true, true},
    {Arm::solicited, WcStatus::wr_flush, false, true, true, true},
    {Arm::errors, WcStatus::success, true, true, false, false},
    {Arm::errors, WcStatus::wr_flush, false, true, false, true},
};

void check_found(const CqParams& params, bool Found::*expected) {
    CqBench bench(4, params);
    std::uint32_t number = 2;
    bench.at(0ns, [&] {
        for (const Found& row : kFound) {
            const CqNum cq{number++};
            bench.engine.create_cq({cq, Memory::kBase, 4, 4, 9});
            Cqe cqe;
            cqe.status = row.status;
            cqe.solicited = row.solicited;
            bench.engine.complete(cq, cqe, bench.now(), false);
            const std::size_t before = bench.interrupts();
            bench.engine.arm({.cq = cq, .wish = row.arm});
            INFO("row " << number - 3);
            CHECK(bench.interrupts() - before == (row.*expected ? 1U : 0U));
        }
    });
    bench.run();
}

TEST_CASE("cq: literally, whatever new entry there is meets an arm", "[K68][K81]") {
    check_found({}, &Found::literal);
}

TEST_CASE("cq: typed, a new entry meets an arm as if it came behind it", "[K81]") {
    CqParams params;
    params.arm_immediate = ArmImmediate::typed;
    check_found(params, &Found::typed);
}

TEST_CASE("cq: typed, with failed requests for errors", "[K79][K81]") {
    CqParams params;
    params.arm_immediate = ArmImmediate::typed;
    params.errors_arm_on_failed_wr = true;
    check_found(params, &Found::typed_with_errors_on_failed);
}

TEST_CASE("cq: typed, only entries that are new count", "[K69][K81]") {
    CqParams params;
    params.arm_immediate = ArmImmediate::typed;
    CqBench bench(4, params);
    bench.at(0ns, [&] {
        bench.complete(WcStatus::success, true);
        bench.complete();
        bench.engine.arm({.cq = kCq, .wish = Arm::solicited, .seen = 1});  // the solicited one is old
        CHECK(bench.interrupts() == 0);
        bench.engine.arm({.cq = kCq, .wish = Arm::solicited, .seen = 0});
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
}

TEST_CASE("cq: a failed request meets an arm for errors if it is said so", "[K79]") {
    CqParams params;
    params.errors_arm_on_failed_wr = true;
    CqBench bench(4, params);
    bench.at(0ns, [&] {
        bench.engine.arm({.cq = kCq, .wish = Arm::errors});
        bench.complete(WcStatus::success, true);
        CHECK(bench.interrupts() == 0);
        bench.complete(WcStatus::wr_flush);
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
}

// Until software has had the notification, another arm is one of an armed queue: one callback for both.
TEST_CASE("cq: an interrupt on its way answers arms until software has had it", "[K67][K73]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.engine.arm({.cq = kCq, .wish = Arm::any});
        bench.complete();
        bench.engine.arm({.cq = kCq, .wish = Arm::any});  // serial 0: the notification is not there yet
        bench.complete();
        CHECK(bench.interrupts() == 1);
        bench.engine.arm({.cq = kCq, .wish = Arm::any, .seen = 2, .serial = 1});
        CHECK(bench.interrupts() == 1);
        bench.complete();
        CHECK(bench.interrupts() == 2);
    });
    bench.run();
}

TEST_CASE("cq: an arm that is met at once rings behind the payload of any entry that met it", "[K76]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.complete(WcStatus::success, false, true);   // behind payload
        bench.complete(WcStatus::success, false, false);  // express
        bench.engine.arm({.cq = kCq, .wish = Arm::any, .seen = 1, .serial = 0});
    });
    bench.at(1us, [&] {
        CHECK(bench.dma.writes.at(2).train.interrupt);
        CHECK(bench.dma.writes.at(2).train.express);  // only the express entry was new
        bench.complete(WcStatus::success, false, true);
        bench.complete(WcStatus::success, false, false);
        bench.engine.arm({.cq = kCq, .wish = Arm::any, .seen = 2, .serial = 1});
        CHECK_FALSE(bench.dma.writes.back().train.express);
    });
    bench.run();
}

TEST_CASE("cq: a queue that has overrun raises no interrupt any more", "[K163]") {
    CqBench bench(2);
    bench.at(0ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
    });
    bench.at(1us, [&] { bench.engine.arm({.cq = kCq, .wish = Arm::any}); });
    bench.run();
    CHECK(bench.cqes() == 2);
    CHECK(bench.interrupts() == 0);
}

}  // namespace ndsim::test::arm_test
