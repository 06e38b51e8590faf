// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The cases of docs/library.md that are about depths: what the formulae say (timing.md 5) and what the runs bring.
// Times are those of preset B: 80 ps for a byte of the wire; of PCIe 16 x 8 GT/s x 128/130 x 95 %, 66.8 ps.

namespace ndsim::test::library_cases_test {

const std::string kLibrary = "scenarios/library/";

ChildResult run_case(const std::string& name, const std::vector<std::string>& overrides = {}) {
    ChildResult run = run_file(kLibrary + name + ".json", overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    return run;
}

double rate_of(const ChildResult& run) {
    return static_cast<double>(run.metric("traffic.t.message_rate"));
}
double gbps_of(const ChildResult& run, const std::string& generator = "t") {
    return static_cast<double>(run.metric("traffic." + generator + ".goodput")) / 1e9;
}

// 4 KiB and 82 bytes of headers, in nanoseconds and in payload.
constexpr double kPacket = 334.24;
constexpr double kLine = 98.04;

// F8: rate = D / (T + D / R), with D = 16 receives, posted again when all are used, and R = 1 / 334.24 ns.
TEST_CASE("library: rnr-cliff, sixteen messages for each wait of the RNR timer [F8]") {
    const auto formula = [](double wait_ns) { return 16e9 / (wait_ns + 16 * kPacket); };
    CHECK(rate_of(run_case("rnr-cliff")) ==
          Catch::Approx(formula(655.36e6)).margin(1));  // 24.4, told in whole messages
    CHECK(rate_of(run_case("rnr-cliff", {"hosts.B.nic.rnr_timer=12"})) == Catch::Approx(formula(640e3)).epsilon(0.005));
    // Code 1 is 10 us. F8 leaves out the NAK's way back, and what comes again: its WQE and its 4 KiB are read in 390 ns
    // and 690, and stored and forwarded once more: about 1.6 us.
    const double shortest = rate_of(run_case("rnr-cliff", {"hosts.B.nic.rnr_timer=1"}));
    CHECK(shortest < formula(10e3));
    CHECK(shortest == Catch::Approx(formula(11.6e3)).epsilon(0.02));
}

// Of 80 receives sixteen are kept back at most, and 64 messages are under way.
TEST_CASE("library: rnr-cliff, receives for the window and a batch make the timer irrelevant") {
    const ChildResult run = run_case("rnr-cliff", {"traffic.t.receives=80"});
    CHECK(gbps_of(run) == Catch::Approx(kLine).epsilon(0.005));
    CHECK(run.metric("B.nic.responder.rnr_naks") == 0);
}

// Sixteen packets of 4 KiB for each message. D = 20, T = 0.64 ms (code 12).
TEST_CASE("library: depth-knee, as many receives as a batch cost a wait for each batch, one more none [F8]") {
    const auto formula = [](double packets) { return kLine / (1 + 640e3 / (20 * packets * kPacket)); };
    CHECK(gbps_of(run_case("depth-knee")) == Catch::Approx(formula(16)).epsilon(0.005));  // 14.04
    // The batch is back 20 x (60 + 150 ns) = 4.2 us after its last message at the latest, a message takes 5.3 us.
    for (const std::string receives : {"21", "24", "128"}) {
        INFO(receives);
        CHECK(gbps_of(run_case("depth-knee", {"traffic.t.receives=" + receives})) ==
              Catch::Approx(kLine).epsilon(0.002));
    }
}

// 2048 packets for each message: the wait is 4.5 % of the time.
TEST_CASE("library: depth-knee, large messages hardly care [F8]") {
    const ChildResult run = run_case("depth-knee", {"traffic.t.size=8 MiB"});
    CHECK(gbps_of(run) == Catch::Approx(kLine / (1 + 640e3 / (20 * 2048 * kPacket))).epsilon(0.005));  // 93.66
    const ChildResult more = run_case("depth-knee", {"traffic.t.size=8 MiB", "traffic.t.receives=21"});
    CHECK(gbps_of(more) == Catch::Approx(kLine).epsilon(0.002));  // no wait
}

// F12: 20 us at 250 ns are 80 completions. The first poll behind them takes sixteen, 60 ns each, and ends 960 ns later:
// 83.8 entries in all.
TEST_CASE("library: cq-sizing, the queue holds what comes while nobody looks, or it overruns [F12]") {
    for (const auto& [depth, overruns] : {std::pair{"32", 1U}, {"64", 1U}, {"80", 1U}, {"82", 1U}, {"86", 0U}}) {
        INFO(depth);
        const ChildResult run = run_case("cq-sizing", {std::string("hosts.B.cqs.cq.depth=") + depth});
        CHECK(run.metric("B.nic.cq.overruns") == overruns);
        CHECK((run.metric("traffic.t.failed") > 0) == (overruns > 0));
    }
    CHECK(run_case("cq-sizing").metric("B.cqs.cq.unpolled.high_water") == Catch::Approx(83.8).margin(2));
}

// F1 for either queue. Both ways are 5000 + 92 ns. A slot of the send queue: post 150, doorbell 207.1, its WQE 397.3
// and its payload 686.7 (R = 390 and its time on PCIe), 35 + 334.2 + 5092 + 120 to the last byte, onto PCIe 299.3, ACK
// 35 + 6.9 + 5092 + 120, CQE 220.9, poll 120: 12 917 ns.
// A receive is gone from the post of the message that is sent for it until it is posted again: the same as far as PCIe,
// 7322 ns, then the CQE's 220.9, poll 120, a post of 150 and the doorbell's 207.1 ns: 8020 ns. The news of it costs
// nothing. A WQE may find another read of its queue under way, and then waits for up to 397.3 ns more.
TEST_CASE("library: asymmetric-depths, the lesser of both rates counts [F1]") {
    const double slot = 12'917;
    const double receive = 8'020;
    for (const int sends : {8, 16, 32}) {
        for (const int receives : {8, 16, 32}) {
            INFO(sends << " sends, " << receives << " receives");
            const ChildResult run = run_case("asymmetric-depths", {"hosts.A.nic.sq.depth=" + std::to_string(sends),
                                                                   "hosts.B.nic.rq.depth=" + std::to_string(receives)});
            const auto formula = [&](double more) {
                return std::min(kLine, 4096 * 8 * std::min(sends / (slot + more), receives / (receive + more)));
            };
            CHECK(gbps_of(run) <= 1.01 * formula(0));
            CHECK(gbps_of(run) >= 0.99 * formula(397.3));
        }
    }
}

// F7: n x S / L. A Read is outstanding for 35 + 7.8 + 1092 + 120 to the peer, 325 there, 686.7 for its data, and
// 35 + 334.6 + 1092 + 120 until that is through the pipeline here: 3848 ns. One byte of wire is 80 ps; 4096 of the 4182
// bytes of a response are payload.
TEST_CASE("library: read-outstanding, n Reads are n times the rate of one, up to the responder's pace [F7]") {
    for (const int reads : {1, 2, 4, 8, 12, 16}) {
        INFO(reads);
        const ChildResult run =
            run_case("read-outstanding", {"hosts.A.qps.q0.outbound_reads=" + std::to_string(reads)});
        CHECK(gbps_of(run) ==
              Catch::Approx(std::min(reads * 4096 * 8 / 3848.0, 4096 * 8 / (4182 * 0.08 + 20))).epsilon(0.01));
    }
}

// F3, preset D: a read of 512 B takes 2 x 120 + 130 ns and 24 + 552 B at 16.7 ps, 379.6 ns. Two requests are kept for
// each of four other classes.
TEST_CASE("library: tags-400g, tags x 512 B for each read, up to the wire [F3]") {
    for (const int tags : {16, 32, 40, 48, 64, 768}) {
        INFO(tags);
        const ChildResult run = run_case("tags-400g", {"hosts.A.pcie.tags=" + std::to_string(tags)});
        const double formula = (tags - 8) * 512 * 8 / 379.6;
        CHECK(gbps_of(run) == Catch::Approx(std::min(formula, 4 * kLine)).epsilon(0.01));
        CHECK((run.limits.at(0).what == "A.nic.dma.tags") == (formula < 4 * kLine));
    }
}

// F1: a slot is taken for 100 us of cable, 16 packets, and 1.7 us that a message alone takes over 2 m.
TEST_CASE("library: long-cable, depth x size for each round trip, up to the wire [F1]") {
    const double slot = 100'000 + 16 * kPacket + 1'700;
    for (const int depth : {2, 4, 8, 16, 32}) {
        INFO(depth);
        const ChildResult run = run_case("long-cable", {"hosts.A.nic.sq.depth=" + std::to_string(depth)});
        CHECK(gbps_of(run) == Catch::Approx(std::min(depth * 65536 * 8 / slot, kLine)).epsilon(0.01));
    }
}

}  // namespace ndsim::test::library_cases_test
