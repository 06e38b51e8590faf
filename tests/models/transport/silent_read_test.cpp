// SPDX-License-Identifier: Apache-2.0

#include "tests/models/transport/read_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::silent_read_test {

// The completion of the Write says that the silent Read before it has ended, too; the next one has nothing to wait for.
TEST_CASE("read: the completion behind a silent Read comes behind its data", "[K55][R70]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80, 0);
        bench.post_write(80);
        bench.post_write(80);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 80); });
    bench.at(2us, [&] { bench.ack(101); });
    bench.at(3us, [&] { bench.ack(102); });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 2);
    CHECK(bench.completions.seen[0].told == 2us);
    CHECK(bench.completions.seen[0].behind_payload);
    CHECK_FALSE(bench.completions.seen[1].behind_payload);
    bench.check_payloads();
}

TEST_CASE("read: the request that is flushed behind a silent Read completes behind its data", "[K55][K148]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80, 0);
        bench.post_write(80);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 80); });
    bench.at(2us, [&] { bench.ack(101, Aeth::kNakRemoteAccess); });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.status == WcStatus::rem_access);
    CHECK(bench.completions.seen[0].behind_payload);
    bench.check_payloads();
}

}  // namespace ndsim::test::silent_read_test
