// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_window_test {

const std::vector<std::string> kInfiniband{"profile=infiniband"};
constexpr std::size_t kAt = 4096;  // where B's windows begin

// A Read or Write of A's from or into B's memory.
HRESULT access(Nd2Party& a, ND2_REQUEST_TYPE kind, ULONG length, const Nd2Place& at, std::uintptr_t request) {
    return kind == kRead ? a.read(length, at, 0, context(request)) : a.write(length, at, 0, context(request));
}

// What an access of A's through a window of B's must be like: the window, and the part of it that A uses.
struct Access {
    ND2_REQUEST_TYPE kind = kRead;
    ULONG flags = 0;       // of the window
    SIZE_T window = 4096;  // bytes
    ULONG offset = 0;      // in it
    ULONG length = 64;
};

// B has a window and a Receive; A uses the window in a way that it does not allow. Before that A does with it what is
// allowed, if anything is. B's memory stays as it was, and A's data with it.
void use_wrongly(const Access& wrong, std::optional<ND2_REQUEST_TYPE> allowed, HRESULT status,
                 const std::vector<std::string>& overrides = {}) {
    Nd2Place place;
    Endings at_a;
    Endings at_b;
    bool untouched = false;
    bool got_nothing = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          if (allowed) {
                              expect(access(a, *allowed, 32, place, 1) == ND_SUCCESS, "it is posted");
                              expect(next(a).front() == Ended{*allowed, ND_SUCCESS, 1}, "what is allowed succeeds");
                              // A wrote zeros, or now has what B has there.
                              expect(holds(a, 0, 32, *allowed == kRead ? 0x77 : 0), "the allowed access is over");
                          }
                          std::memset(a.buffer.data(), 0x5A, 8192);
                          const Nd2Place at{place.address + wrong.offset, place.token};
                          expect(access(a, wrong.kind, wrong.length, at, 2) == ND_SUCCESS, "it is posted");
                          expect(a.send(64, 0, context(3)) == ND_SUCCESS, "a Send behind it");
                          at_a = next(a, 2);
                          got_nothing = wrong.kind == kWrite || holds(a, 0, wrong.length, 0x5A);
                      }},
                 // The region has no remote rights (B10).
                 {.rights = ND_MR_FLAG_ALLOW_LOCAL_WRITE,
                  .program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          std::memset(b.buffer.data() + kAt, 0x77, 8192);
                          Ref<IND2MemoryWindow> window;
                          make_window(b, window);
                          expect(bind(b, *b.qp.get(), *window.get(), kAt, wrong.window, wrong.flags) == ND_SUCCESS,
                                 "a Bind");
                          expect(next(b).front() == Ended{kBind, ND_SUCCESS, 0}, "it is bound");
                          place = place_of(b, *window.get(), kAt);
                          expect(b.receive(64, context(4), 32768) == ND_SUCCESS, "a Receive");
                          at_b = next(b);
                          until_ms(b.os, 8);
                          const std::size_t first = allowed == kWrite ? 32 : 0;
                          // Bytes of the window before its end may be written, those behind it never (R110).
                          const std::size_t begin = wrong.offset == 0 ? first : wrong.window;
                          untouched = holds(b, kAt + begin, 8192 - begin, 0x77);
                      }},
                 overrides);
    CHECK(at_a == Endings{{wrong.kind, status, 2}, {kSend, ND_CANCELED, 3}});
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 4}});
    CHECK(untouched);
    CHECK(got_nothing);
}

TEST_CASE("nd2: through a window to read the peer cannot write", "[R108][B10][R104]") {
    use_wrongly({.kind = kWrite, .flags = ND_OP_FLAG_ALLOW_READ}, kRead, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: through a window to read the peer cannot write, by InfiniBand's codes", "[R108]") {
    use_wrongly({.kind = kWrite, .flags = ND_OP_FLAG_ALLOW_READ}, kRead, ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: through a window to write the peer cannot read", "[R109][B10]") {
    use_wrongly({.kind = kRead, .flags = ND_OP_FLAG_ALLOW_WRITE}, kWrite, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: through a window to write the peer cannot read, by InfiniBand's codes", "[R109]") {
    use_wrongly({.kind = kRead, .flags = ND_OP_FLAG_ALLOW_WRITE}, kWrite, ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: a window without rights can be bound, and the peer can do nothing with it", "[B10]") {
    use_wrongly({.kind = kRead, .flags = 0}, {}, ND_REMOTE_ERROR);
}

// The window has 256 bytes, of which A uses the last 32, and 32 more.
TEST_CASE("nd2: a Write that runs past the end of a window is fatal and writes nothing behind it", "[R110]") {
    use_wrongly({.kind = kWrite, .flags = ND_OP_FLAG_ALLOW_WRITE, .window = 256, .offset = 224}, kWrite,
                ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a Write past the end of a window, by InfiniBand's codes", "[R110]") {
    use_wrongly({.kind = kWrite, .flags = ND_OP_FLAG_ALLOW_WRITE, .window = 256, .offset = 224}, kWrite,
                ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: a Read that runs past the end of a window is fatal and brings nothing", "[R110]") {
    use_wrongly({.kind = kRead, .flags = ND_OP_FLAG_ALLOW_READ, .window = 256, .offset = 224}, kRead, ND_REMOTE_ERROR);
}

// Of B's bytes 0 to 4095 one window shows 0 to 2047, to be read, the other 1024 to 3071, to be written.
TEST_CASE("nd2: two windows that overlap have their own rights", "[R117]") {
    Nd2Place to_read;
    Nd2Place to_write;
    Endings at_a;
    bool as_read = false;
    bool as_written = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          std::memset(a.buffer.data(), 0x5A, 2048);
                          expect(a.write(2048, to_write, 0, context(1)) == ND_SUCCESS, "a Write through the one");
                          at_a = next(a);
                          expect(a.read(2048, to_read, 0, context(2)) == ND_SUCCESS, "a Read through the other");
                          at_a.push_back(next(a).front());
                          as_read = holds(a, 0, 1024, 0x77) && holds(a, 1024, 1024, 0x5A);
                          expect(a.read(64, to_write, 0, context(3)) == ND_SUCCESS, "a Read through that to write");
                          at_a.push_back(next(a).front());
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     std::memset(b.buffer.data(), 0x77, 4096);
                     Ref<IND2MemoryWindow> first;
                     Ref<IND2MemoryWindow> second;
                     make_window(b, first);
                     make_window(b, second);
                     expect(bind(b, *b.qp.get(), *first.get(), 0, 2048, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS &&
                                bind(b, *b.qp.get(), *second.get(), 1024, 2048, ND_OP_FLAG_ALLOW_WRITE) == ND_SUCCESS,
                            "both are bound");
                     to_read = place_of(b, *first.get(), 0);
                     to_write = place_of(b, *second.get(), 1024);
                     next(b, 2);
                     until_ms(b.os, 10);
                     as_written = holds(b, 0, 1024, 0x77) && holds(b, 1024, 2048, 0x5A) && holds(b, 3072, 1024, 0x77);
                 }});
    CHECK(at_a == Endings{{kWrite, ND_SUCCESS, 1}, {kRead, ND_SUCCESS, 2}, {kRead, ND_REMOTE_ERROR, 3}});
    CHECK(as_read);
    CHECK(as_written);
}

// A window that is bound to the first bytes of the party's region.
void make_bound(Nd2Party& b, Ref<IND2MemoryWindow>& window) {
    make_window(b, window);
    expect(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS &&
               next(b).front().status == ND_SUCCESS,
           "it is bound");
}

HRESULT deregister(Nd2Party& b) {
    return b.finish(*b.region.get(), b.region->Deregister(&b.overlapped));
}

TEST_CASE("nd2: a region is busy while a window is bound to it", "[R116]") {
    std::vector<HRESULT> statuses;
    run_nd2_pair(
        {}, {.program = [&](Nd2Party& b, const Nd2Place&) {
            Ref<IND2MemoryWindow> window;
            make_bound(b, window);
            statuses.push_back(deregister(b));
            expect(b.qp->Invalidate(nullptr, window.get(), 0) == ND_SUCCESS && next(b).front().status == ND_SUCCESS,
                   "it is no longer bound");
            statuses.push_back(deregister(b));
        }});
    CHECK(statuses == std::vector<HRESULT>{ND_DEVICE_BUSY, ND_SUCCESS});
}

// The adapter has not heard of the Invalidate when the first Deregister is called.
TEST_CASE("nd2: a region is free after a silent Invalidate of its window", "[R67][R116]") {
    std::vector<HRESULT> statuses;
    run_nd2_pair({}, {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryWindow> window;
                     make_bound(b, window);
                     expect(b.qp->Invalidate(nullptr, window.get(), ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS,
                            "it will not be bound");
                     statuses.push_back(deregister(b));
                     b.os.sleep(1);
                     statuses.push_back(deregister(b));
                 }});
    CHECK(statuses == std::vector<HRESULT>{ND_DEVICE_BUSY, ND_SUCCESS});
}

TEST_CASE("nd2: a region is free when the queue pair of a Bind without effect is gone, and its result unpolled",
          "[R116]") {
    std::vector<HRESULT> statuses;
    run_nd2_pair({}, {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryWindow> window;
                     make_window(b, window);
                     expect(b.qp->Flush() == ND_SUCCESS, "a Flush");
                     expect(bind(b, *b.qp.get(), *window.get(), 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS, "in vain");
                     statuses.push_back(deregister(b));
                     b.connector.reset();
                     b.qp.reset();
                     b.cq.reset();
                     b.os.sleep(1);
                     statuses.push_back(deregister(b));
                 }});
    CHECK(statuses == std::vector<HRESULT>{ND_DEVICE_BUSY, ND_SUCCESS});
}

TEST_CASE("nd2: a region is free as soon as its window has been released", "[R116]") {
    HRESULT deregistered = ND_PENDING;
    run_nd2_pair({}, {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryWindow> window;
                     make_bound(b, window);
                     window.reset();
                     deregistered = deregister(b);
                 }});
    CHECK(deregistered == ND_SUCCESS);
}

}  // namespace ndsim::test::nd2_window_test
