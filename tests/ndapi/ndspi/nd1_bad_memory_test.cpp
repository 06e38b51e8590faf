// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"

// Requests whose pieces are not, or no longer, in registered memory.

namespace ndsim::test::nd1_bad_memory_test {

// More than any request takes inline.
constexpr SIZE_T kLong = 4096;

void post_receives(Nd1Party& b) {
    expect(b.receive(1, kLong) == ND_SUCCESS && b.receive(2, kLong) == ND_SUCCESS, "two Receives");
}

void check_refused(const Nd1Fate& fate) {
    check_fatal(fate, ND_ACCESS_VIOLATION);
    CHECK(fate.at_b == Nd1Ends{{1, ND_CANCELED}, {2, ND_CANCELED}});
}

HRESULT send_piece(Nd1Party& a, const ND_SGE& sge) {
    return a.endpoint->Send(a.block(1), &sge, 1, 0);
}

// A handle of memory that was registered for a while.
ND_MR_HANDLE old_handle(Nd1Party& party) {
    ND_MR_HANDLE handle = nullptr;
    expect(party.register_memory(std::span(party.buffer).first(kLong), handle) == ND_SUCCESS, "it is registered");
    expect(party.deregister(handle) == ND_SUCCESS, "and no longer");
    return handle;
}

// B's oldest Receive has this piece, another one is good; A sends a message that would fit.
Nd1Fate fate_of_receive_with(const std::function<ND_SGE(Nd1Party& b)>& piece,
                             const std::vector<std::string>& overrides = {}) {
    return fate_of([](Nd1Party& a) { return a.send(1, kLong); },
                   [&](Nd1Party& b) {
                       const ND_SGE sge = piece(b);
                       expect(b.endpoint->Receive(b.block(1), &sge, 1) == ND_SUCCESS, "R31: it is posted");
                       expect(b.receive(2, kLong) == ND_SUCCESS, "a good one");
                   },
                   overrides);
}

TEST_CASE("nd1: a Send from memory without a handle, longer than inline data may be, is refused", "[R29][R144]") {
    check_refused(fate_of([](Nd1Party& a) { return send_piece(a, {a.buffer.data(), kLong, nullptr}); }, post_receives));
}

TEST_CASE("nd1: a Send with a handle that was none is refused", "[R29]") {
    const auto request = [](Nd1Party& a) {
        return send_piece(a, {a.buffer.data(), kLong, reinterpret_cast<ND_MR_HANDLE>(std::uintptr_t{0x123456})});
    };
    check_refused(fate_of(request, post_receives));
}

TEST_CASE("nd1: a Send with a handle that was deregistered is refused", "[R29]") {
    const auto request = [](Nd1Party& a) { return send_piece(a, {a.buffer.data(), kLong, old_handle(a)}); };
    check_refused(fate_of(request, post_receives));
}

TEST_CASE("nd1: a Send of bytes beyond the registration is refused", "[R29][R104]") {
    const auto request = [](Nd1Party& a) {
        return send_piece(a, {a.buffer.data() + a.buffer.size() - kLong + 1, kLong, a.handle});
    };
    check_refused(fate_of(request, post_receives));
}

TEST_CASE("nd1: a Receive into memory that is not registered is found out when a message comes", "[R30][R31]") {
    const auto piece = [](Nd1Party& b) { return ND_SGE{b.buffer.data(), kLong, nullptr}; };
    const Nd1Fate fate = fate_of_receive_with(piece);
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_ACCESS_VIOLATION}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: a Receive into memory that was deregistered is found out when a message comes", "[R30][R31]") {
    const auto piece = [](Nd1Party& b) { return ND_SGE{b.buffer.data(), kLong, old_handle(b)}; };
    const Nd1Fate fate = fate_of_receive_with(piece, kInfiniband);
    check_fatal(fate, STATUS_DATA_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_ACCESS_VIOLATION}, {2, ND_CANCELED}});
}

}  // namespace ndsim::test::nd1_bad_memory_test
