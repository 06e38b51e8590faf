// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

// A window that is bound again has the rights, the range and the token of that Bind alone.

namespace ndsim::test::nd2_rebind_test {

const std::vector<std::string> kInfiniband{"profile=infiniband"};
constexpr std::size_t kAt = 4096;  // where B's windows begin, of which its peer sees all that they can show
constexpr ULONG kUsed = 64;        // bytes of an access

struct Opening {
    ULONG flags = ND_OP_FLAG_ALLOW_READ;
    std::size_t offset = 0;  // from kAt on
    SIZE_T length = 4096;
};
// What A does with the window after its second Bind.
struct Attempt {
    ND2_REQUEST_TYPE kind = kRead;
    std::size_t offset = 0;     // from kAt on
    bool by_old_token = false;  // the first Bind's
};
enum class Between : std::uint8_t {
    invalidated,          // B waits for the result of its Invalidate
    invalidation_posted,  // the Bind comes right behind it
};
struct Attempts {
    Attempt allowed;
    Attempt wrong;
};

HRESULT access(Nd2Party& a, const Attempt& attempt, const Nd2Place& at, std::uintptr_t request) {
    return attempt.kind == kRead ? a.read(kUsed, at, 0, context(request)) : a.write(kUsed, at, 0, context(request));
}

// B opens a window, A uses it, B invalidates it and opens it again, which is over at 8 ms. Then A uses it twice: first
// as it may, then as it may not. The second is fatal, and neither changes nor brings anything.
void open_twice(const Opening& first, const Opening& second, const Attempts& attempts, HRESULT status = ND_REMOTE_ERROR,
                const std::vector<std::string>& overrides = {}, Between between = Between::invalidated) {
    UINT64 base = 0;
    UINT32 first_token = 0;
    UINT32 second_token = 0;
    Endings at_a;
    Endings at_b;
    bool read_well = true;
    bool got_nothing = true;
    bool written_well = true;
    bool untouched = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          const Attempt early{(first.flags & ND_OP_FLAG_ALLOW_READ) != 0 ? kRead : kWrite};
                          std::memset(a.buffer.data(), 0x77, kUsed);  // as B has it
                          expect(access(a, early, {base + first.offset, first_token}, 1) == ND_SUCCESS, "it is posted");
                          at_a = next(a);
                          until_ms(a.os, 9);
                          const auto place = [&](const Attempt& attempt) {
                              return Nd2Place{base + attempt.offset, attempt.by_old_token ? first_token : second_token};
                          };
                          std::memset(a.buffer.data(), 0x5A, kUsed);
                          expect(access(a, attempts.allowed, place(attempts.allowed), 2) == ND_SUCCESS, "it is posted");
                          at_a.push_back(next(a).front());
                          read_well = attempts.allowed.kind != kRead || holds(a, 0, kUsed, 0x77);
                          std::memset(a.buffer.data(), 0x3C, kUsed);
                          expect(access(a, attempts.wrong, place(attempts.wrong), 3) == ND_SUCCESS, "it is posted");
                          expect(a.send(kUsed, 0, context(4)) == ND_SUCCESS, "a Send behind it");
                          const Endings more = next(a, 2);
                          at_a.insert(at_a.end(), more.begin(), more.end());
                          got_nothing = holds(a, 0, kUsed, 0x3C);
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          std::memset(b.buffer.data() + kAt, 0x77, 8192);
                          Ref<IND2MemoryWindow> window;
                          make_window(b, window);
                          const auto open = [&](const Opening& opening, std::uintptr_t request) {
                              return bind(b, *b.qp.get(), *window.get(), kAt + opening.offset, opening.length,
                                          opening.flags, request);
                          };
                          expect(b.receive(kUsed, context(4), 65536) == ND_SUCCESS, "a Receive");
                          expect(open(first, 1) == ND_SUCCESS, "a Bind");
                          at_b = next(b);
                          base = place_of(b, *window.get(), kAt).address;
                          first_token = window->GetRemoteToken();
                          until_ms(b.os, 6);
                          expect(b.qp->Invalidate(context(2), window.get(), 0) == ND_SUCCESS, "an Invalidate");
                          if (between == Between::invalidated) {
                              at_b.push_back(next(b).front());
                          }
                          expect(open(second, 3) == ND_SUCCESS, "another Bind");
                          second_token = window->GetRemoteToken();
                          const Endings more = next(b, between == Between::invalidated ? 1 : 2);
                          at_b.insert(at_b.end(), more.begin(), more.end());
                          until_ms(b.os, 15);
                          at_b.push_back(next(b).front());
                          if (attempts.allowed.kind == kWrite) {
                              written_well = holds(b, kAt + attempts.allowed.offset, kUsed, 0x5A);
                              std::memset(b.buffer.data() + kAt + attempts.allowed.offset, 0x77, kUsed);
                          }
                          untouched = holds(b, kAt, 8192, 0x77);
                      }},
                 overrides);
    REQUIRE(at_a.size() == 4);
    CHECK(at_a[0].status == ND_SUCCESS);
    CHECK(at_a[1] == Ended{attempts.allowed.kind, ND_SUCCESS, 2});
    CHECK(at_a[2] == Ended{attempts.wrong.kind, status, 3});
    CHECK(at_a[3] == Ended{kSend, ND_CANCELED, 4});
    CHECK(at_b == Endings{{kBind, ND_SUCCESS, 1},
                          {kInvalidate, ND_SUCCESS, 2},
                          {kBind, ND_SUCCESS, 3},
                          {kReceive, ND_CANCELED, 4}});
    CHECK(read_well);
    CHECK(got_nothing);
    CHECK(written_well);
    CHECK(untouched);
}

constexpr Opening kToRead{ND_OP_FLAG_ALLOW_READ};
constexpr Opening kToWrite{ND_OP_FLAG_ALLOW_WRITE};
constexpr Opening kToBoth{ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE};
constexpr Attempts kReadThenWrite{{kRead}, {kWrite}};
constexpr Attempts kWriteThenRead{{kWrite}, {kRead}};

TEST_CASE("nd2: a window to write that is bound again to be read can be read, but not written", "[R52][R108][R105]") {
    open_twice(kToWrite, kToRead, kReadThenWrite);
}

TEST_CASE("nd2: a window to write that is bound again to be read, by InfiniBand's codes", "[R52][R108]") {
    open_twice(kToWrite, kToRead, kReadThenWrite, ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: a window to write that is bound again to be read right behind its Invalidate", "[R52][R108]") {
    open_twice(kToWrite, kToRead, kReadThenWrite, ND_REMOTE_ERROR, {}, Between::invalidation_posted);
}

TEST_CASE("nd2: a window to read that is bound again to be written can be written, but not read", "[R52][R109][R105]") {
    open_twice(kToRead, kToWrite, kWriteThenRead);
}

TEST_CASE("nd2: a window to read that is bound again to be written, by InfiniBand's codes", "[R52][R109]") {
    open_twice(kToRead, kToWrite, kWriteThenRead, ND_ACCESS_VIOLATION, kInfiniband);
}

TEST_CASE("nd2: a window to read and write keeps the one right that it is bound again with", "[R52][R108][R109]") {
    open_twice(kToBoth, kToRead, kReadThenWrite);
}

// 4096 bytes, then the 1024 in their middle; A reads those, and then what is in front of them.
TEST_CASE("nd2: a window that is bound again to less does not show what it showed", "[R52][R110]") {
    open_twice(kToRead, {ND_OP_FLAG_ALLOW_READ, 2048, 1024}, {{kRead, 2048}, {kRead, 0}});
}

// The same 4096 bytes, then their first 1024: A reads the last 64 of those, and then the 64 behind them.
TEST_CASE("nd2: a window that is bound again to less ends where that ends", "[R52][R110]") {
    open_twice(kToRead, {ND_OP_FLAG_ALLOW_READ, 0, 1024}, {{kRead, 960}, {kRead, 1024}});
}

// 1024 bytes, then the 4096 that begin where they end.
TEST_CASE("nd2: a window that is bound again elsewhere shows all that is there", "[R52][R110]") {
    open_twice({ND_OP_FLAG_ALLOW_READ, 0, 1024}, {ND_OP_FLAG_ALLOW_READ, 1024, 4096}, {{kRead, 5056}, {kRead, 5120}});
}

TEST_CASE("nd2: the token of an earlier Bind is dead when a window is bound again", "[R52][R36]") {
    open_twice(kToRead, kToRead, {{kRead}, {.kind = kRead, .by_old_token = true}});
}

// The Bind is refused in the call, so the window stays as it was: to be written, not to be read.
TEST_CASE("nd2: a window that is bound keeps its rights and its token when another Bind is refused", "[R114][R109]") {
    Nd2Place place;
    UINT32 token_after = 0;
    HRESULT refused = ND_PENDING;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          until_ms(a.os, 6);
                          expect(a.write(kUsed, place, 0, context(1)) == ND_SUCCESS, "a Write");
                          at_a = next(a);
                          expect(a.read(kUsed, place, 0, context(2)) == ND_SUCCESS, "a Read");
                          at_a.push_back(next(a).front());
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Ref<IND2MemoryWindow> window;
                     make_window(b, window);
                     expect(bind(b, *b.qp.get(), *window.get(), kAt, 4096, ND_OP_FLAG_ALLOW_WRITE) == ND_SUCCESS,
                            "a Bind");
                     next(b);
                     place = place_of(b, *window.get(), kAt);
                     refused = bind(b, *b.qp.get(), *window.get(), kAt, 4096, ND_OP_FLAG_ALLOW_READ);
                     token_after = window->GetRemoteToken();
                     until_ms(b.os, 10);
                 }});
    CHECK(refused == ND_INVALID_DEVICE_STATE);
    CHECK(token_after == place.token);
    CHECK(at_a == Endings{{kWrite, ND_SUCCESS, 1}, {kRead, ND_REMOTE_ERROR, 2}});
}

}  // namespace ndsim::test::nd2_rebind_test
