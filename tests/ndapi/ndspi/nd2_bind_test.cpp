// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_bind_test {

const std::vector<std::string> kInfiniband{"profile=infiniband"};

// A binds a range of which the second half is behind its region, and sends something behind that.
void bind_beyond_region(HRESULT status, const std::vector<std::string>& overrides = {}) {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Ref<IND2MemoryWindow> window;
                          make_window(a, window);
                          expect(bind(a, *a.qp.get(), *window.get(), a.buffer.size() - 64, 128, ND_OP_FLAG_ALLOW_READ,
                                      1) == ND_SUCCESS,
                                 "it is posted");
                          expect(a.send(64, 0, context(2)) == ND_SUCCESS, "a Send behind it");
                          at_a = next(a, 2);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) { expect(b.receive(64) == ND_SUCCESS, "a Receive"); }},
                 overrides);
    CHECK(at_a == Endings{{kBind, status, 1}, {kSend, ND_CANCELED, 2}});
}

TEST_CASE("nd2: a Bind beyond the end of the region fails and ends the connection", "[R111][R104]") {
    bind_beyond_region(ND_INVALID_DEVICE_REQUEST);
}

TEST_CASE("nd2: a Bind beyond the end of the region, by InfiniBand's codes", "[R111]") {
    bind_beyond_region(ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: a window to write needs a region that the adapter may write", "[R112][R11]") {
    std::vector<HRESULT> statuses;
    Endings results;
    run_nd2_pair(
        {.rights = 0,
         .program =
             [&](Nd2Party& a, const Nd2Place&) {
                 Ref<IND2MemoryWindow> window;
                 make_window(a, window);
                 std::uintptr_t request = 0;
                 for (const ULONG flags :
                      {ND_OP_FLAG_ALLOW_WRITE, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, ND_OP_FLAG_ALLOW_READ}) {
                     statuses.push_back(bind(a, *a.qp.get(), *window.get(), 0, 64, flags, ++request));
                 }
                 a.os.sleep(1);
                 results = poll(a);
             }},
        {});
    CHECK(statuses == std::vector<HRESULT>{ND_ACCESS_VIOLATION, ND_ACCESS_VIOLATION, ND_SUCCESS});
    CHECK(results == Endings{{kBind, ND_SUCCESS, 3}});
}

// B does not wait for the result of the Bind; A reads with what the message brings.
TEST_CASE("nd2: a token may be sent as soon as Bind has returned", "[R113]") {
    Endings at_a;
    bool as_read = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.receive(sizeof(UINT32), nullptr, 8192) == ND_SUCCESS, "a Receive");
                          expect(a.send(0) == ND_SUCCESS, "A is ready");
                          next(a, 2);
                          UINT32 token = 0;
                          std::memcpy(&token, a.buffer.data() + 8192, sizeof token);
                          expect(a.read(64, {b.address, token}, 0, context(1)) == ND_SUCCESS, "a Read");
                          at_a = next(a);
                          as_read = holds(a, 0, 64, 0x77);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     std::memset(b.buffer.data(), 0x77, 64);
                     Ref<IND2MemoryWindow> window;
                     make_window(b, window);
                     expect(b.receive(64, nullptr, 4096) == ND_SUCCESS && b.next().Status == ND_SUCCESS, "A is ready");
                     expect(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS, "a Bind");
                     UINT32 token = window->GetRemoteToken();
                     const ND2_SGE sge{&token, sizeof token, 0};
                     expect(b.qp->Send(nullptr, &sge, 1, ND_OP_FLAG_INLINE) == ND_SUCCESS, "its token is sent");
                     next(b, 2);
                     until_ms(b.os, 10);
                 }});
    CHECK(at_a == Endings{{kRead, ND_SUCCESS, 1}});
    CHECK(as_read);
}

TEST_CASE("nd2: a window that is bound is not bound again before it is invalidated", "[R114][R52][R11]") {
    std::vector<HRESULT> statuses;
    Endings results;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Ref<IND2MemoryWindow> window;
                          make_window(a, window);
                          const auto bind_it = [&](std::size_t offset, std::uintptr_t request) {
                              return bind(a, *a.qp.get(), *window.get(), offset, 64, ND_OP_FLAG_ALLOW_READ, request);
                          };
                          statuses.push_back(bind_it(0, 1));
                          results = next(a);
                          statuses.push_back(bind_it(64, 2));
                          statuses.push_back(a.qp->Invalidate(context(3), window.get(), 0));
                          results.push_back(next(a).front());
                          statuses.push_back(bind_it(64, 4));
                          results.push_back(next(a).front());
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there is no result of what was refused");
                      }},
                 {});
    CHECK(statuses == std::vector<HRESULT>{ND_SUCCESS, ND_INVALID_DEVICE_STATE, ND_SUCCESS, ND_SUCCESS});
    CHECK(results == Endings{{kBind, ND_SUCCESS, 1}, {kInvalidate, ND_SUCCESS, 3}, {kBind, ND_SUCCESS, 4}});
}

// B lets A read once, invalidates the window, and binds it again for another connection when A has tried in vain.
TEST_CASE("nd2: an Invalidate closes a window, which can then be bound elsewhere", "[R52][R105]") {
    Nd2Place place;
    Nd2Place place_again;
    Endings at_a;
    Endings at_b;
    bool as_read = false;
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place&) {
                 Nd2Link link(a);
                 link.be_active("B");
                 expect(a.read(64, place, 0, context(1)) == ND_SUCCESS, "a Read");
                 at_a = next(a);
                 until_ms(a.os, 9);  // B invalidates at 6 to 7 ms
                 expect(a.read(64, place, 0, context(2)) == ND_SUCCESS, "the same Read");
                 at_a.push_back(next(a).front());
                 until_ms(a.os, 15);  // B binds at 12 to 13 ms
                 std::memset(a.buffer.data(), 0, 64);
                 const ND2_SGE sge = a.piece(64);
                 expect(link.qp->Read(context(3), &sge, 1, place_again.address, place_again.token, 0) == ND_SUCCESS,
                        "a Read on the other connection");
                 at_a.push_back(next(a).front());
                 as_read = holds(a, 0, 64, 0x77);
             }},
        {.program = [&](Nd2Party& b, const Nd2Place&) {
            std::memset(b.buffer.data(), 0x77, 64);
            Ref<IND2MemoryWindow> window;
            make_window(b, window);
            expect(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ, 4) == ND_SUCCESS, "a Bind");
            at_b = next(b);
            place = place_of(b, *window.get(), 0);
            Nd2Link link(b);
            link.be_passive();
            expect(b.receive(64, context(5), 4096) == ND_SUCCESS, "a Receive");
            until_ms(b.os, 6);
            expect(b.qp->Invalidate(context(6), window.get(), 0) == ND_SUCCESS, "an Invalidate");
            const Endings more = next(b, 2);
            at_b.insert(at_b.end(), more.begin(), more.end());
            until_ms(b.os, 12);
            expect(bind(b, *link.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ, 7) == ND_SUCCESS, "a Bind");
            at_b.push_back(next(b).front());
            place_again = place_of(b, *window.get(), 0);
            until_ms(b.os, 20);
        }});
    CHECK(at_a == Endings{{kRead, ND_SUCCESS, 1}, {kRead, ND_REMOTE_ERROR, 2}, {kRead, ND_SUCCESS, 3}});
    CHECK(at_b == Endings{{kBind, ND_SUCCESS, 4},
                          {kInvalidate, ND_SUCCESS, 6},
                          {kReceive, ND_CANCELED, 5},
                          {kBind, ND_SUCCESS, 7}});
    CHECK(as_read);
}

// The window belongs to the first connection; an Invalidate on the second ends that one alone.
TEST_CASE("nd2: a window whose Invalidate has failed is still bound, and its connection lives on", "[R114][R10]") {
    Endings at_a;
    HRESULT again = ND_SUCCESS;
    const auto invalidate_elsewhere = [&](Nd2Party& a, const Nd2Place&) {
        Ref<IND2MemoryWindow> window;
        make_window(a, window);
        expect(bind(a, *a.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ, 1) == ND_SUCCESS, "a Bind");
        at_a = next(a);
        Nd2Link link(a);
        link.be_active("B");
        expect(link.qp->Invalidate(context(2), window.get(), 0) == ND_SUCCESS, "it is posted");
        expect(next(a).front().status != ND_SUCCESS, "it fails");
        again = bind(a, *a.qp.get(), *window.get(), 64, 64, ND_OP_FLAG_ALLOW_READ, 3);
        expect(a.send(64, 0, context(4)) == ND_SUCCESS, "a Send on the first connection");
        at_a.push_back(next(a).front());
    };
    run_nd2_pair({.program = invalidate_elsewhere}, {.program = [](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(64) == ND_SUCCESS, "a Receive");
                     Nd2Link link(b);
                     link.be_passive();
                     next(b);
                 }});
    CHECK(again == ND_INVALID_DEVICE_STATE);
    CHECK(at_a == Endings{{kBind, ND_SUCCESS, 1}, {kSend, ND_SUCCESS, 4}});
}

TEST_CASE("nd2: an Invalidate of a window that is not bound fails and ends the connection", "[R53][R104]") {
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Ref<IND2MemoryWindow> window;
                          make_window(a, window);
                          expect(a.qp->Invalidate(context(1), window.get(), 0) == ND_SUCCESS, "it is posted");
                          expect(a.send(64, 0, context(2)) == ND_SUCCESS, "a Send behind it");
                          at_a = next(a, 2);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) { expect(b.receive(64) == ND_SUCCESS, "a Receive"); }});
    CHECK(at_a == Endings{{kInvalidate, ND_INVALID_DEVICE_REQUEST, 1}, {kSend, ND_CANCELED, 2}});
}

// The window is bound for the first connection; A uses it on the second.
TEST_CASE("nd2: a window of another connection is fatal for the one that uses it", "[R115][R105]") {
    Nd2Place place;
    Endings at_a;
    bool as_read = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Link link(a);
                          link.be_active("B");
                          const ND2_SGE sge = a.piece(64);
                          expect(link.qp->Read(context(1), &sge, 1, place.address, place.token, 0) == ND_SUCCESS,
                                 "a Read on the wrong connection");
                          expect(link.send(0, 2) == ND_SUCCESS, "a Send behind it");
                          at_a = next(a, 2);
                          expect(a.read(64, place, 0, context(3)) == ND_SUCCESS, "a Read on the right one");
                          at_a.push_back(next(a).front());
                          as_read = holds(a, 0, 64, 0x77);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     std::memset(b.buffer.data(), 0x77, 64);
                     Ref<IND2MemoryWindow> window;
                     make_window(b, window);
                     expect(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS, "a Bind");
                     next(b);
                     place = place_of(b, *window.get(), 0);
                     Nd2Link link(b);
                     expect(link.receive(0) == ND_SUCCESS, "a Receive");
                     link.be_passive();
                     until_ms(b.os, 15);
                 }});
    CHECK(at_a == Endings{{kRead, ND_REMOTE_ERROR, 1}, {kSend, ND_CANCELED, 2}, {kRead, ND_SUCCESS, 3}});
    CHECK(as_read);
}

// No page says what becomes of such a window. Here it is as if it were still bound, which only its release ends.
TEST_CASE("nd2: a window stays bound when its queue pair is released", "[R114][R116]") {
    std::vector<HRESULT> statuses;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          Nd2Link link(a);
                          link.be_active("B");
                          until_ms(a.os, 12);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryWindow> window;
                     make_window(b, window);
                     Nd2Link link(b);
                     link.be_passive();
                     expect(bind(b, *link.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS &&
                                next(b).front().status == ND_SUCCESS,
                            "it is bound");
                     link.connector.reset();
                     link.qp.reset();
                     b.os.sleep(1);
                     statuses.push_back(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ));
                     statuses.push_back(b.finish(*b.region.get(), b.region->Deregister(&b.overlapped)));
                     window.reset();
                     statuses.push_back(b.finish(*b.region.get(), b.region->Deregister(&b.overlapped)));
                 }});
    CHECK(statuses == std::vector<HRESULT>{ND_INVALID_DEVICE_STATE, ND_DEVICE_BUSY, ND_SUCCESS});
}

}  // namespace ndsim::test::nd2_bind_test
