// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_inline_test {

constexpr UINT32 kNoToken = 0xDEADBEEF;

// Byte i of what tests send.
std::byte pattern(std::size_t i) {
    return static_cast<std::byte>(i * 7 + 1);
}

void fill(void* memory, std::size_t length, std::size_t first = 0) {
    for (std::size_t i = 0; i < length; ++i) {
        static_cast<std::byte*>(memory)[i] = pattern(first + i);
    }
}

bool has_pattern(const Nd2Party& party, std::size_t offset, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
        if (party.buffer[offset + i] != pattern(i)) {
            return false;
        }
    }
    return true;
}

TEST_CASE("nd2: a list of pieces may be overwritten once the call has returned", "[R12][B24]") {
    Endings at_a;
    Endings at_b;
    bool sent_well = false;
    bool written_well = false;
    bool read_well = false;
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place& b) {
                 fill(a.buffer.data(), 64);
                 std::array<ND2_SGE, 2> list{a.piece(24), a.piece(40, 24)};
                 const auto scramble = [&] { list.fill({nullptr, 1U << 30U, kNoToken}); };
                 expect(a.qp->Send(context(1), list.data(), 2, 0) == ND_SUCCESS, "a Send");
                 scramble();
                 list = {a.piece(24), a.piece(40, 24)};
                 expect(a.qp->Write(context(2), list.data(), 2, b.address + 8192, b.token, 0) == ND_SUCCESS, "a Write");
                 scramble();
                 list = {a.piece(24, 4096), a.piece(40, 4096 + 24)};
                 expect(a.qp->Read(context(3), list.data(), 2, b.address + 8192, b.token, 0) == ND_SUCCESS, "a Read");
                 scramble();
                 at_a = next(a, 3);
                 read_well = has_pattern(a, 4096, 64);
             }},
        {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
             std::array<ND2_SGE, 2> list{b.piece(40, 4096), b.piece(24, 4096 + 40)};
             expect(b.qp->Receive(context(4), list.data(), 2) == ND_SUCCESS, "a Receive");
             list.fill({nullptr, 0, kNoToken});
             at_b = next(b);
             sent_well = has_pattern(b, 4096, 64);
             until_ms(b.os, 10);
             written_well = has_pattern(b, 8192, 64);
         }});
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}, {kRead, ND_SUCCESS, 3}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 4}});
    CHECK(sent_well);
    CHECK(written_well);
    CHECK(read_well);
}

// Memory that is not registered, in five pieces, where the queue pair was created for two: 5 x 12 bytes of 64.
TEST_CASE("nd2: inline data needs neither a token nor few pieces", "[R145]") {
    Endings at_a;
    Endings at_b;
    bool sent_well = false;
    bool written_well = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          std::array<std::byte, 60> unregistered{};
                          fill(unregistered.data(), unregistered.size());
                          std::array<ND2_SGE, 5> list{};
                          for (std::size_t i = 0; i < list.size(); ++i) {
                              list.at(i) = {unregistered.data() + 12 * i, 12, kNoToken};
                          }
                          expect(a.qp->Send(context(1), list.data(), 5, ND_OP_FLAG_INLINE) == ND_SUCCESS, "a Send");
                          expect(a.qp->Write(context(2), list.data(), 5, b.address + 8192, b.token,
                                             ND_OP_FLAG_INLINE) == ND_SUCCESS,
                                 "a Write");
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      expect(b.receive(64, context(3), 4096) == ND_SUCCESS, "a Receive");
                      at_b = next(b);
                      sent_well = has_pattern(b, 4096, 60);
                      until_ms(b.os, 10);
                      written_well = has_pattern(b, 8192, 60);
                  }});
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 3}});
    CHECK(sent_well);
    CHECK(written_well);
}

// Created with inlineDataSize 64. The code of one byte more is our choice (ndspi.md 5.12).
TEST_CASE("nd2: inline data may be as long as inlineDataSize and no longer", "[R145][R11]") {
    Endings at_a;
    std::vector<HRESULT> refused;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          refused = {a.send(65, ND_OP_FLAG_INLINE), a.write(65, b, ND_OP_FLAG_INLINE)};
                          expect(a.send(64, ND_OP_FLAG_INLINE, context(1)) == ND_SUCCESS, "64 bytes are sent");
                          expect(a.write(64, b, ND_OP_FLAG_INLINE, context(2)) == ND_SUCCESS, "64 bytes are written");
                          expect(a.send(65, 0, context(3)) == ND_SUCCESS, "without the flag 65 bytes are sent");
                          at_a = next(a, 3);
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there are no results of what was refused");
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      expect(b.receive(65) == ND_SUCCESS && b.receive(65) == ND_SUCCESS, "two Receives");
                  }});
    CHECK(refused == std::vector<HRESULT>(2, ND_BUFFER_OVERFLOW));
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}, {kSend, ND_SUCCESS, 3}});
}

TEST_CASE("nd2: the memory of inline data may change right after the call", "[R146]") {
    Endings at_a;
    bool sent_well = false;
    bool written_well = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          fill(a.buffer.data(), 64);
                          expect(a.send(64, ND_OP_FLAG_INLINE, context(1)) == ND_SUCCESS, "a Send");
                          std::memset(a.buffer.data(), 0xEE, 64);
                          fill(a.buffer.data(), 64);
                          expect(a.write(64, {b.address + 8192, b.token}, ND_OP_FLAG_INLINE, context(2)) == ND_SUCCESS,
                                 "a Write");
                          std::memset(a.buffer.data(), 0xEE, 64);
                          at_a = next(a, 2);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      expect(b.receive(64, nullptr, 4096) == ND_SUCCESS, "a Receive");
                      until_ms(b.os, 10);
                      sent_well = has_pattern(b, 4096, 64);
                      written_well = has_pattern(b, 8192, 64);
                  }});
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}});
    CHECK(sent_well);
    CHECK(written_well);
}

}  // namespace ndsim::test::nd2_inline_test
