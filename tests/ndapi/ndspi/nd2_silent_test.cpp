// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_silent_test {

constexpr ULONG kSilent = ND_OP_FLAG_SILENT_SUCCESS;

TEST_CASE("nd2: a silent request that succeeds leaves no result and notifies nobody", "[R67][R20]") {
    HRESULT silence = ND_SUCCESS;
    Endings nothing_yet{{}};
    HRESULT notified = ND_PENDING;
    Endings at_a;
    Endings at_b;
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place& b) {
                 Ref<IND2MemoryWindow> window;
                 make_window(a, window);
                 Nd2Call any(a.os);
                 expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &any.overlapped) == ND_PENDING, "a Notify");
                 expect(a.send(64, kSilent) == ND_SUCCESS && a.write(64, b, kSilent) == ND_SUCCESS &&
                            a.read(64, b, kSilent) == ND_SUCCESS,
                        "silent transfers");
                 expect(bind(a, *a.qp.get(), *window.get(), 0, 64, kSilent | ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS &&
                            a.qp->Invalidate(nullptr, window.get(), kSilent) == ND_SUCCESS,
                        "a window comes and goes");
                 a.os.sleep(2);
                 silence = any.now(*a.cq.get());
                 nothing_yet = poll(a);
                 expect(a.send(64, 0, context(1)) == ND_SUCCESS, "one that is not silent");
                 notified = any.end(*a.cq.get());
                 at_a = next(a);
             }},
        {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
             expect(b.receive(64, context(2)) == ND_SUCCESS && b.receive(64, context(3)) == ND_SUCCESS, "two Receives");
             at_b = next(b, 2);
         }});
    CHECK(silence == ND_PENDING);
    CHECK(nothing_yet.empty());
    CHECK(notified == ND_SUCCESS);
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 2}, {kReceive, ND_SUCCESS, 3}});
}

TEST_CASE("nd2: a silent request that fails or is flushed has a result", "[R68][R104]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.write(64, {b.address, ~b.token}, kSilent, context(1)) == ND_SUCCESS, "a bad token");
                          expect(a.write(64, b, kSilent, context(2)) == ND_SUCCESS, "a good one behind it");
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights});
    CHECK(at_a == Endings{{kWrite, ND_REMOTE_ERROR, 1}, {kWrite, ND_CANCELED, 2}});
}

// A has a queue of eight. What has ended long ago still holds its slot.
TEST_CASE("nd2: silent requests alone fill the queue for good", "[R69][R4]") {
    std::vector<HRESULT> taken;
    std::vector<HRESULT> refused;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (int i = 0; i < 8; ++i) {
                              taken.push_back(a.write(64, b, kSilent));
                          }
                          refused.push_back(a.write(64, b, kSilent));
                          a.os.sleep(2);
                          expect(poll(a).empty(), "there are no results");
                          refused.push_back(a.write(64, b, kSilent));
                          refused.push_back(a.write(64, b));
                      }},
                 {.rights = kRemoteRights});
    CHECK(taken == std::vector<HRESULT>(8, ND_SUCCESS));
    CHECK(refused == std::vector<HRESULT>(3, ND_NO_MORE_ENTRIES));
}

TEST_CASE("nd2: a result that is retrieved gives back the slots of the silent requests before it", "[R69][R4]") {
    std::vector<HRESULT> taken;
    std::vector<HRESULT> refused;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (int i = 0; i < 7; ++i) {
                              taken.push_back(a.write(64, b, kSilent));
                          }
                          taken.push_back(a.write(64, b, 0, context(1)));
                          a.os.sleep(2);
                          refused.push_back(a.write(64, b, kSilent));  // the result is there, and not retrieved
                          at_a = next(a);
                          for (int i = 0; i < 8; ++i) {
                              taken.push_back(a.write(64, b, kSilent));
                          }
                          refused.push_back(a.write(64, b, kSilent));
                      }},
                 {.rights = kRemoteRights});
    CHECK(taken == std::vector<HRESULT>(16, ND_SUCCESS));
    CHECK(refused == std::vector<HRESULT>(2, ND_NO_MORE_ENTRIES));
    CHECK(at_a == Endings{{kWrite, ND_SUCCESS, 1}});
}

TEST_CASE("nd2: with reclaim on_retire silent requests give back their slots themselves", "[R69]") {
    std::vector<HRESULT> taken;
    HRESULT refused = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (int i = 0; i < 8; ++i) {
                              taken.push_back(a.write(64, b, kSilent));
                          }
                          refused = a.write(64, b, kSilent);
                          a.os.sleep(2);
                          for (int i = 0; i < 8; ++i) {
                              taken.push_back(a.write(64, b, kSilent));
                          }
                      }},
                 {.rights = kRemoteRights}, {"adapter.reclaim=on_retire"});
    CHECK(taken == std::vector<HRESULT>(16, ND_SUCCESS));
    CHECK(refused == ND_NO_MORE_ENTRIES);
}

// A long silent Read and a long silent Write, and a Write of nothing that tells when they are over. Then A's memory is
// overwritten, which must not be seen in what B gets.
TEST_CASE("nd2: when a result is retrieved the silent requests before it have ended", "[R70]") {
    constexpr ULONG kHalf = 512U << 10U;
    Endings at_a;
    bool as_read = false;
    bool as_written = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          std::memset(a.buffer.data(), 0x5A, kHalf);
                          const ND2_SGE sink = a.piece(kHalf, kHalf);
                          expect(a.qp->Read(nullptr, &sink, 1, b.address + kHalf, b.token, kSilent) == ND_SUCCESS,
                                 "a silent Read");
                          expect(a.write(kHalf, b, kSilent) == ND_SUCCESS, "a silent Write");
                          expect(a.qp->Write(context(1), nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "a Write");
                          at_a = next(a);
                          as_read = holds(a, kHalf, kHalf, 0x77);
                          std::memset(a.buffer.data(), 0xEE, kHalf);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      std::memset(b.buffer.data() + kHalf, 0x77, kHalf);
                      until_ms(b.os, 10);
                      as_written = holds(b, 0, kHalf, 0x5A);
                  }});
    CHECK(at_a == Endings{{kWrite, ND_SUCCESS, 1}});
    CHECK(as_read);
    CHECK(as_written);
}

}  // namespace ndsim::test::nd2_silent_test
