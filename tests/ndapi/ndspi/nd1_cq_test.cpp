// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_link.hpp"

// Completion queues: what is retrieved, when they overrun, other depths.

namespace ndsim::test::nd1_cq_test {

// Receives of an endpoint without a connection, flushed: so many results.
void fill(Nd1Party& party, std::size_t count) {
    party.need_endpoint();
    for (std::size_t number = 1; number <= count; ++number) {
        expect(party.receive(number, 64) == ND_SUCCESS, "a Receive");
    }
    expect(party.endpoint->Flush() == ND_SUCCESS, "a Flush");
    party.os.sleep(1);
}

Nd1Ends flushed(std::size_t first, std::size_t last) {
    Nd1Ends ends;
    for (std::size_t number = first; number <= last; ++number) {
        ends.push_back({number, ND_CANCELED});
    }
    return ends;
}

void run_alone(const Nd1Sizes& sizes, const std::function<void(Nd1Party& party)>& program,
               const std::vector<std::string>& overrides = {}) {
    run_programs(
        [&](HostContext& host, ProgramHost& os) {
            Nd1Party party(host, os, sizes);
            program(party);
        },
        idle, overrides);
}

constexpr std::size_t kMany = 60;  // of the blocks

// What B sees of an inbound CQ of four entries that a fifth message overruns.
struct Overrun {
    Codes before;  // of one Notify of each type
    Codes after;
    HRESULT later = ND_PENDING;  // of a Notify after that
    Codes posts;                 // on the endpoint and on another that has this CQ for the other direction
    Nd1Ends results;
    Nd1Ends further{{}};
};

void look_at_overrun(Nd1Party& b, Overrun& seen) {
    Ref<INDConnector> connector;
    b.make_connector(connector);
    Ref<INDEndpoint> other;
    expect(connector->CreateEndpoint(b.outbound.get(), b.inbound.get(), 1, 1, 1, 1, 0, 0, nullptr, other.put()) ==
               ND_SUCCESS,
           "another endpoint");
    Nd1Call any(b.os);
    Nd1Call solicited(b.os);
    Nd1Call errors(b.os);
    until_ms(b.os, 7);
    INDCompletionQueue& cq = *b.inbound;
    Nd1Call four(b.os);
    expect(cq.Notify(ND_CQ_NOTIFY_ANY, &four.overlapped) == ND_PENDING && four.end(cq) == ND_SUCCESS, "four are there");
    expect(cq.Notify(ND_CQ_NOTIFY_ANY, &any.overlapped) == ND_PENDING &&
               cq.Notify(ND_CQ_NOTIFY_SOLICITED, &solicited.overlapped) == ND_PENDING &&
               cq.Notify(ND_CQ_NOTIFY_ERRORS, &errors.overlapped) == ND_PENDING,
           "one of each type");
    seen.before = {any.now(cq), solicited.now(cq), errors.now(cq)};
    seen.after = {any.end(cq), solicited.end(cq), errors.end(cq)};
    Nd1Call late(b.os);
    seen.later = late.end(cq, cq.Notify(ND_CQ_NOTIFY_ANY, &late.overlapped));
    seen.posts = {b.receive(9, 64), b.send(10, 64), other->Receive(b.block(11), nullptr, 0)};
    seen.results = b.poll(cq);
    b.os.sleep(2);
    seen.further = b.poll(cq);
}

TEST_CASE("nd1: GetResults gives no more than are asked for, and fewer only if there are no more", "[R71]") {
    std::vector<SIZE_T> counts;
    std::vector<std::size_t> numbers;
    run_alone({.inbound = kMany}, [&](Nd1Party& party) {
        fill(party, 5);
        std::array<ND_RESULT*, 8> results{};
        for (const SIZE_T wanted : {SIZE_T{0}, SIZE_T{2}, SIZE_T{8}, SIZE_T{8}}) {
            const SIZE_T count = party.inbound->GetResults(results.data(), wanted);
            counts.push_back(count);
            for (SIZE_T i = 0; i < count; ++i) {
                numbers.push_back(static_cast<std::size_t>(results.at(i) - party.blocks.data()));
            }
        }
    });
    CHECK(counts == std::vector<SIZE_T>{0, 2, 3, 0});
    CHECK(numbers == std::vector<std::size_t>{1, 2, 3, 4, 5});
}

// More than a provider may fetch at a time.
TEST_CASE("nd1: GetResults gives all of many", "[R71]") {
    constexpr SIZE_T kThousand = 1000;
    SIZE_T count = 0;
    bool in_order = true;
    run_alone({.inbound_cq = kThousand, .inbound = kThousand}, [&](Nd1Party& party) {
        std::vector<ND_RESULT> blocks(kThousand);
        party.need_endpoint();
        for (ND_RESULT& block : blocks) {
            expect(party.endpoint->Receive(&block, nullptr, 0) == ND_SUCCESS, "a Receive");
        }
        expect(party.endpoint->Flush() == ND_SUCCESS, "a Flush");
        party.os.sleep(1);
        std::vector<ND_RESULT*> results(kThousand + 1);
        count = party.inbound->GetResults(results.data(), results.size());
        for (SIZE_T i = 0; i < count; ++i) {
            in_order = in_order && results[i] == &blocks[i] && results[i]->Status == ND_CANCELED;
        }
        party.endpoint.reset();  // whose blocks go next
    });
    CHECK(count == kThousand);
    CHECK(in_order);
}

TEST_CASE("nd1: a result too many ends a CQ and all endpoints that use it", "[R18][R72][R73][R74][R75]") {
    Overrun seen;
    HRESULT told = ND_PENDING;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Call call(a.os);
                          expect(a.connector->NotifyDisconnect(&call.overlapped) == ND_PENDING, "it is connected");
                          for (std::size_t number = 1; number <= 4; ++number) {
                              expect(a.send(number, 8) == ND_SUCCESS, "a Send");
                          }
                          (void)a.ended(4);
                          until_ms(a.os, 11);
                          expect(a.send(5, 8) == ND_SUCCESS, "a fifth");
                          told = call.end(*a.connector);
                      }},
                 {.sizes = {.inbound_cq = 4}, .program = [&](Nd1Party& b) {
                      for (std::size_t number = 1; number <= 6; ++number) {
                          expect(b.receive(number, 64) == ND_SUCCESS, "a Receive");
                      }
                      look_at_overrun(b, seen);
                  }});
    CHECK(seen.before == Codes(3, ND_PENDING));
    CHECK(seen.after == Codes(3, ND_BUFFER_OVERFLOW));
    CHECK(seen.later == ND_BUFFER_OVERFLOW);
    CHECK(seen.posts == Codes(3, ND_CONNECTION_INVALID));
    CHECK(seen.results == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {4, ND_SUCCESS}});
    CHECK(seen.further.empty());
    CHECK(told == ND_SUCCESS);
}

TEST_CASE("nd1: as many results as a CQ holds are no overrun", "[R72][R83]") {
    HRESULT status = ND_PENDING;
    Nd1Ends results;
    run_alone({.inbound_cq = 4}, [&](Nd1Party& party) {
        fill(party, 4);
        Nd1Call call(party.os);
        expect(party.inbound->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
        status = call.end(*party.inbound);
        results = party.poll(*party.inbound);
    });
    CHECK(status == ND_SUCCESS);
    CHECK(results == flushed(1, 4));
}

TEST_CASE("nd1: a CQ is resized without losing results, but not below them", "[R89]") {
    Codes codes;
    Nd1Ends results;
    run_alone({.inbound_cq = 8}, [&](Nd1Party& party) {
        fill(party, 5);
        codes = {party.inbound->Resize(4), party.inbound->Resize(0), party.inbound->Resize(SIZE_T{1} << 32U),
                 party.inbound->Resize(16), party.inbound->Resize(5)};
        results = party.poll(*party.inbound);
    });
    CHECK(codes == Codes{ND_BUFFER_OVERFLOW, ND_INVALID_PARAMETER, ND_INVALID_PARAMETER, ND_SUCCESS, ND_SUCCESS});
    CHECK(results == flushed(1, 5));
}

TEST_CASE("nd1: an adapter may be unable to resize", "[R89]") {
    HRESULT code = ND_PENDING;
    run_alone({}, [&](Nd1Party& party) { code = party.inbound->Resize(16); }, {"nic.cq.can_resize=false"});
    CHECK(code == ND_NOT_SUPPORTED);
}

// The first endpoint takes the odd numbers, the other one the even ones; one of them is flushed.
TEST_CASE("nd1: results of two endpoints in one CQ come in each one's order", "[R90][R93][R105]") {
    Nd1Ends first;
    Nd1Ends second;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Link link(a);
                          link.be_active("B");
                          a.os.sleep(1);
                          for (std::size_t number = 1; number <= 3; ++number) {
                              expect(a.send(number, 8) == ND_SUCCESS && link.send(10 + number, 8) == ND_SUCCESS,
                                     "messages on both");
                          }
                          until_ms(a.os, 12);  // B looks at 10 ms
                      }},
                 {.program = [&](Nd1Party& b) {
                     Nd1Link link(b);
                     for (const std::size_t number : {1U, 3U, 5U, 7U}) {
                         expect(b.receive(number, 64) == ND_SUCCESS && link.receive(number + 1, 64) == ND_SUCCESS,
                                "Receives on both");
                     }
                     link.be_passive();
                     until_ms(b.os, 8);
                     expect(b.endpoint->Flush() == ND_SUCCESS, "one of them is flushed");
                     until_ms(b.os, 10);
                     for (const Nd1End& end : b.poll(*b.inbound)) {
                         (end.number % 2 == 1 ? first : second).push_back(end);
                     }
                 }});
    CHECK(first == Nd1Ends{{1, ND_SUCCESS}, {3, ND_SUCCESS}, {5, ND_SUCCESS}, {7, ND_CANCELED}});
    CHECK(second == Nd1Ends{{2, ND_SUCCESS}, {4, ND_SUCCESS}, {6, ND_SUCCESS}});
}

TEST_CASE("nd1: results can be retrieved after their endpoint was released", "[R91]") {
    Nd1Ends results;
    run_alone({}, [&](Nd1Party& party) {
        fill(party, 3);
        party.endpoint.reset();
        party.os.sleep(1);
        results = party.poll(*party.inbound);
    });
    CHECK(results == flushed(1, 3));
}

}  // namespace ndsim::test::nd1_cq_test
