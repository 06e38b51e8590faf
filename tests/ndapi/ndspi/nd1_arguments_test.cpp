// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

namespace ndsim::test::nd1_arguments_test {

ND_ADAPTER_INFO info_of(Nd1Party& party) {
    ND_ADAPTER_INFO info{};
    SIZE_T size = sizeof info;
    expect(party.adapter->Query(ND_VERSION_1, &info, &size) == ND_SUCCESS, "the adapter tells its limits");
    return info;
}

// Two pieces of half the maximum and a byte each are more than it, for a maximum that is odd or even.
std::array<ND_SGE, 2> more_than(Nd1Party& party, SIZE_T maximum) {
    return {party.piece(maximum / 2 + 1), party.piece(maximum / 2 + 1)};
}

TEST_CASE("nd1: more bytes than the adapter's limits are refused", "[R8][R9][R10][R11][R31]") {
    Codes refused;
    Codes receives_refused;
    HRESULT receive_of_maximum = ND_PENDING;
    Nd1Ends results;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          const std::array<ND_SGE, 2> list = more_than(a, info_of(a).MaxOutboundLength);
                          const ND_SGE huge = a.piece(SIZE_T{1} << 40U);
                          const ND_MW_DESCRIPTOR theirs{};
                          refused = {a.endpoint->Send(a.block(20), list.data(), 2, 0),
                                     a.endpoint->SendAndInvalidate(a.block(21), list.data(), 2, &theirs, 0),
                                     a.endpoint->Read(a.block(22), list.data(), 2, &theirs, 0, 0),
                                     a.endpoint->Write(a.block(23), list.data(), 2, &theirs, 0, 0),
                                     a.endpoint->Send(a.block(24), &huge, 1, 0)};
                          expect(a.send(1, 64) == ND_SUCCESS, "a short one goes");
                          results = a.ended();
                          a.os.sleep(1);
                          expect(a.poll(*a.outbound).empty(), "there are no results of what was refused");
                      }},
                 {.program = [&](Nd1Party& b) {
                     const SIZE_T maximum = info_of(b).MaxInboundLength;
                     const std::array<ND_SGE, 2> list = more_than(b, maximum);
                     receives_refused = {b.endpoint->Receive(b.block(20), list.data(), 2), b.receive(21, maximum + 1)};
                     expect(b.receive(1, 64) == ND_SUCCESS, "a short one goes");
                     receive_of_maximum = b.receive(2, maximum);  // longer than the memory, which nobody sees yet
                 }});
    CHECK(refused == Codes(5, ND_BUFFER_OVERFLOW));
    CHECK(receives_refused == Codes(2, ND_BUFFER_OVERFLOW));
    CHECK(receive_of_maximum == ND_SUCCESS);
    CHECK(results == Nd1Ends{{1, ND_SUCCESS}});
}

TEST_CASE("nd1: the list of pieces may be overwritten after the call", "[R12]") {
    bool same = false;
    run_nd1_pair({.program =
                      [](Nd1Party& a) {
                          a.fill(0, 50, 0x11);
                          a.fill(4096, 50, 0x22);
                          std::array<ND_SGE, 2> list{a.piece(50), a.piece(50, 4096)};
                          expect(a.endpoint->Send(a.block(1), list.data(), 2, 0) == ND_SUCCESS, "a Send");
                          list.fill({nullptr, 1, nullptr});
                          expect(a.ended() == Nd1Ends{{1, ND_SUCCESS}}, "it succeeds");
                      }},
                 {.before =
                      [](Nd1Party& b) {
                          std::array<ND_SGE, 2> list{b.piece(30), b.piece(70, 4096)};
                          expect(b.endpoint->Receive(b.block(1), list.data(), 2) == ND_SUCCESS, "a Receive");
                          list.fill({nullptr, 1, nullptr});
                      },
                  .program =
                      [&](Nd1Party& b) {
                          expect(b.received() == Nd1Ends{{1, ND_SUCCESS}}, "the message");
                          // 30 bytes of the first piece; then its other 20 and the 50 of the second one.
                          same = b.holds(0, 30, 0x11) && b.holds(4096, 20, 0x11) && b.holds(4116, 50, 0x22);
                      }});
    CHECK(same);
}

// The flags of version 1 end with 0x10, and each call has its own of them. Places are those of the parameters.
TEST_CASE("nd1: flags that a call does not have are refused by their place", "[R14][R10][R11]") {
    Codes sends;
    Codes sends_that_invalidate;
    Codes others;
    Nd1Ends results;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          const ND_MW_DESCRIPTOR theirs{};
                          Nd1Window& window = a.new_window();
                          for (const DWORD flag : {ND_OP_FLAG_ALLOW_READ, ND_OP_FLAG_INLINE, ULONG{0x80000000}}) {
                              sends.push_back(a.send(20, 64, flag));
                              sends_that_invalidate.push_back(a.send_and_invalidate(21, 64, theirs, flag));
                          }
                          others = {a.read(22, 64, theirs, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
                                    a.write(23, 64, theirs, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
                                    a.bind(24, window, 0, 64, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT),
                                    a.invalidate(25, window, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)};
                          constexpr DWORD kAll = 7;
                          expect(a.send(1, 64, kAll & ~ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS, "flags that it has");
                          results = a.ended();
                          a.os.sleep(1);
                          expect(a.poll(*a.outbound).empty(), "there are no results of what was refused");
                      }},
                 {.before = [](Nd1Party& b) { expect(b.receive(1, 64) == ND_SUCCESS, "a Receive"); }});
    CHECK(sends == Codes(3, ND_INVALID_PARAMETER_4));
    CHECK(sends_that_invalidate == Codes(3, ND_INVALID_PARAMETER_5));
    CHECK(others ==
          Codes{ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_3});
    CHECK(results == Nd1Ends{{1, ND_SUCCESS}});
}

// What the documents leave open: places of parameters that cannot be.
TEST_CASE("nd1: missing and foreign arguments of posts are refused by their place", "[R11]") {
    Codes codes;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Ref<INDAdapter> other;
                          a.open(other);
                          Nd1Window foreign;
                          expect(other->CreateMemoryWindow(a.block(60), foreign.window.put()) == ND_SUCCESS,
                                 "a window");
                          Nd1Window& own = a.new_window();
                          const ND_SGE sge = a.piece(64);
                          INDEndpoint& endpoint = *a.endpoint;
                          codes = {endpoint.Send(nullptr, &sge, 1, 0),
                                   endpoint.Send(a.block(1), nullptr, 1, 0),
                                   endpoint.SendAndInvalidate(a.block(1), &sge, 1, nullptr, 0),
                                   endpoint.Read(a.block(1), &sge, 1, nullptr, 0, 0),
                                   endpoint.Bind(a.block(1), nullptr, own.window.get(), a.buffer.data(), 64,
                                                 ND_OP_FLAG_ALLOW_READ, &own.descriptor),
                                   a.bind(1, foreign, 0, 64, ND_OP_FLAG_ALLOW_READ),
                                   endpoint.Bind(a.block(1), a.handle, own.window.get(), a.buffer.data(), 64,
                                                 ND_OP_FLAG_ALLOW_READ, nullptr),
                                   a.invalidate(1, foreign)};
                          a.os.sleep(1);
                          expect(a.poll(*a.outbound).empty(), "nothing was queued");
                      }},
                 {});
    CHECK(codes == Codes{ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_4,
                         ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_7,
                         ND_INVALID_PARAMETER_2});
}

TEST_CASE("nd1: CreateEndpoint names the first argument that is wrong", "[R15]") {
    Codes codes;
    HRESULT good = ND_PENDING;
    HRESULT second = ND_PENDING;
    SIZE_T inline_bytes = 0;
    SIZE_T inline_limit = 1;
    run_programs(
        [&](Nd1Party& a) {
            Ref<INDAdapter> other;
            a.open(other);
            Ref<INDCompletionQueue> foreign;
            expect(other->CreateCompletionQueue(8, foreign.put()) == ND_SUCCESS, "a CQ of another adapter");
            const ND_ADAPTER_INFO info = info_of(a);
            Ref<INDEndpoint> endpoint;
            struct Wish {
                SIZE_T inbound = 8, outbound = 8, inbound_sges = 1, outbound_sges = 1, reads_in = 1, reads_out = 1;
            };
            const auto create = [&](INDCompletionQueue* in, INDCompletionQueue* out, const Wish& wish) {
                return a.connector->CreateEndpoint(in, out, wish.inbound, wish.outbound, wish.inbound_sges,
                                                   wish.outbound_sges, wish.reads_in, wish.reads_out, &inline_bytes,
                                                   endpoint.put());
            };
            INDCompletionQueue* const in = a.inbound.get();
            INDCompletionQueue* const out = a.outbound.get();
            codes = {create(nullptr, nullptr, {}),
                     create(foreign.get(), out, {}),
                     create(in, nullptr, {}),
                     create(in, foreign.get(), {.inbound = info.MaxInboundRequests + 1}),
                     create(in, out, {.inbound = info.MaxInboundRequests + 1, .outbound = 0}),
                     create(in, out, {.outbound = info.MaxOutboundRequests + 1}),
                     create(in, out, {.inbound_sges = info.MaxInboundSge + 1}),
                     create(in, out, {.outbound_sges = info.MaxOutboundSge + 1}),
                     create(in, out, {.reads_in = info.MaxInboundReadLimit + 1}),
                     create(in, out, {.reads_out = info.MaxOutboundReadLimit + 1})};
            good = create(in, in, {});
            inline_limit = info.MaxInlineData;
            Ref<INDEndpoint> another;
            second = a.make_endpoint(another, *a.connector);  // a connector has one
        },
        idle);
    CHECK(codes == Codes{ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_1, ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_2,
                         ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_4, ND_INVALID_PARAMETER_5, ND_INVALID_PARAMETER_6,
                         ND_INVALID_PARAMETER_7, ND_INVALID_PARAMETER_8});
    CHECK(good == ND_SUCCESS);
    CHECK(inline_bytes == inline_limit);
    CHECK(second == ND_NOT_SUPPORTED);
}

TEST_CASE("nd1: a CQ of 0 entries or of too many is refused, one of the maximum is not", "[R17]") {
    Codes codes;
    run_programs(
        [&](Nd1Party& a) {
            const SIZE_T maximum = info_of(a).MaxCqEntries;
            Ref<INDCompletionQueue> none;
            Ref<INDCompletionQueue> largest;
            codes = {a.adapter->CreateCompletionQueue(0, none.put()),
                     a.adapter->CreateCompletionQueue(maximum + 1, none.put()),
                     a.adapter->CreateCompletionQueue(SIZE_T{1} << 32U, none.put()),
                     a.adapter->CreateCompletionQueue(maximum, largest.put())};
        },
        idle);
    CHECK(codes == Codes{ND_INVALID_PARAMETER, ND_INVALID_PARAMETER, ND_INVALID_PARAMETER, ND_SUCCESS});
}

}  // namespace ndsim::test::nd1_arguments_test
