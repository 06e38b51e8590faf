// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"

namespace ndsim::test::nd1_silent_test {

constexpr DWORD kSilent = ND_OP_FLAG_SILENT_SUCCESS;

// A, whose queue holds eight requests, writes through a window of B.
void run_writer(const std::function<void(Nd1Party& a, const ND_MW_DESCRIPTOR& open)>& program,
                const std::vector<std::string>& overrides = {}) {
    ND_MW_DESCRIPTOR open{};
    run_nd1_pair({.program = [&](Nd1Party& a) { program(a, open); }},
                 {.program =
                      [&](Nd1Party& b) {
                          open = b.open_window(0, 4096).descriptor;
                          until_ms(b.os, 15);
                      }},
                 overrides);
}

void write_silently(Nd1Party& a, const ND_MW_DESCRIPTOR& open, int times, Codes& codes) {
    for (int i = 0; i < times; ++i) {
        codes.push_back(a.write(1, 64, open, kSilent));
    }
}

TEST_CASE("nd1: silent requests that succeed leave no result and notify nobody", "[R67]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT silence = ND_SUCCESS;
    Nd1Ends nothing{{}};
    HRESULT notified = ND_PENDING;
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Window& window = a.new_window();
                          Nd1Call call(a.os);
                          expect(a.outbound->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
                          expect(a.send(1, 8, kSilent) == ND_SUCCESS && a.write(2, 8, open, kSilent) == ND_SUCCESS &&
                                     a.read(3, 8, open, kSilent) == ND_SUCCESS &&
                                     a.bind(4, window, 0, 64, ND_OP_FLAG_ALLOW_READ | kSilent) == ND_SUCCESS &&
                                     a.invalidate(5, window, kSilent) == ND_SUCCESS,
                                 "silent requests");
                          a.os.sleep(2);
                          silence = call.now(*a.outbound);
                          nothing = a.poll(*a.outbound);
                          expect(a.write(6, 8, open) == ND_SUCCESS, "one that is not");
                          notified = call.end(*a.outbound);
                          at_a = a.ended();
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 8192) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, 4096).descriptor;
                     until_ms(b.os, 15);
                 }});
    CHECK(silence == ND_PENDING);
    CHECK(nothing.empty());
    CHECK(notified == ND_SUCCESS);
    CHECK(at_a == Nd1Ends{{6, ND_SUCCESS}});
}

// The request fails, and the silent one behind it is flushed.
TEST_CASE("nd1: silent requests that fail or are flushed have results", "[R68][R104]") {
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          const ND_MW_DESCRIPTOR nobodys{};
                          expect(a.write(1, 64, nobodys, kSilent) == ND_SUCCESS, "a silent Write with a bad token");
                          expect(a.send(2, 64, kSilent) == ND_SUCCESS, "a silent Send");
                          at_a = a.ended(2);
                      }},
                 {});
    CHECK(at_a == Nd1Ends{{1, ND_REMOTE_ERROR}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: silent requests alone fill the queue for good", "[R69]") {
    Codes taken;
    Codes refused;
    run_writer([&](Nd1Party& a, const ND_MW_DESCRIPTOR& open) {
        write_silently(a, open, 8, taken);
        a.os.sleep(2);
        expect(a.poll(*a.outbound).empty(), "there are no results");
        refused = {a.write(2, 64, open, kSilent), a.write(2, 64, open)};
    });
    CHECK(taken == Codes(8, ND_SUCCESS));
    CHECK(refused == Codes(2, ND_NO_MORE_ENTRIES));
}

TEST_CASE("nd1: a result that is retrieved gives back the slots of the silent requests before it", "[R69]") {
    Codes taken;
    Codes refused;
    run_writer([&](Nd1Party& a, const ND_MW_DESCRIPTOR& open) {
        write_silently(a, open, 7, taken);
        taken.push_back(a.write(2, 64, open));
        a.os.sleep(2);
        refused.push_back(a.write(3, 64, open));  // the result is there and not yet retrieved
        expect(a.ended() == Nd1Ends{{2, ND_SUCCESS}}, "now it is");
        write_silently(a, open, 8, taken);
        refused.push_back(a.write(3, 64, open));
    });
    CHECK(taken == Codes(16, ND_SUCCESS));
    CHECK(refused == Codes(2, ND_NO_MORE_ENTRIES));
}

TEST_CASE("nd1: where slots are given back by the NIC, silent requests give theirs back", "[R69]") {
    Codes taken;
    run_writer(
        [&](Nd1Party& a, const ND_MW_DESCRIPTOR& open) {
            write_silently(a, open, 8, taken);
            a.os.sleep(2);
            write_silently(a, open, 8, taken);
        },
        {"adapter.reclaim=on_retire"});
    CHECK(taken == Codes(16, ND_SUCCESS));
}

// When the result of the Write is there A overwrites what it sent before, and has what it read before.
TEST_CASE("nd1: when a result is retrieved the silent requests before it have ended", "[R70]") {
    constexpr SIZE_T kQuarter = 256 * 1024;
    ND_MW_DESCRIPTOR open{};
    bool was_read = false;
    bool was_written = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(kQuarter, kQuarter, 0x61);
                          const ND_SGE source = a.piece(kQuarter, kQuarter);
                          expect(a.read(1, kQuarter, open, kSilent) == ND_SUCCESS, "a silent Read of B's first part");
                          expect(a.endpoint->Write(a.block(2), &source, 1, &open, kQuarter, kSilent) == ND_SUCCESS,
                                 "a silent Write to its second part");
                          expect(a.endpoint->Write(a.block(3), nullptr, 0, &open, 0, 0) == ND_SUCCESS,
                                 "one that tells");
                          expect(a.ended() == Nd1Ends{{3, ND_SUCCESS}}, "its result");
                          was_read = a.holds(0, kQuarter, 0x62);
                          a.fill(kQuarter, kQuarter, 0xFF);
                      }},
                 {.program = [&](Nd1Party& b) {
                     b.fill(0, kQuarter, 0x62);
                     open = b.open_window(0, 2 * kQuarter).descriptor;
                     until_ms(b.os, 10);
                     was_written = b.holds(kQuarter, kQuarter, 0x61);
                 }});
    CHECK(was_read);
    CHECK(was_written);
}

}  // namespace ndsim::test::nd1_silent_test
