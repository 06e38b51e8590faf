// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_receiver.hpp"

namespace ndsim::test::nd2_notify_resized_test {

// How a Notify for errors stands when a message has arrived, and when a second one was too long for its Receive. The
// queue gets these depths before and after the call. B polls nothing, so all entries are still to be reached.
std::vector<HRESULT> notified(const std::vector<ULONG>& before, const std::vector<ULONG>& after) {
    std::vector<HRESULT> statuses;
    run_receiver({{6}, {10, 0, 65}}, [&](Nd2Party& b) {
        const auto resize = [&](ULONG depth) { expect(b.cq->Resize(depth) == ND_SUCCESS, "a Resize"); };
        std::ranges::for_each(before, resize);
        Nd2Call errors(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, errors);
        std::ranges::for_each(after, resize);
        until_ms(b.os, 8);
        statuses.push_back(now(b, errors));
        until_ms(b.os, 12);
        statuses.push_back(now(b, errors));
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
        expect(next(b, 2) == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_BUFFER_OVERFLOW, 2}}, "both results");
    });
    return statuses;
}

const std::vector<HRESULT> kByTheSecond{ND_PENDING, ND_SUCCESS};

TEST_CASE("nd2: a Notify for errors sees what fails behind a Resize, and nothing else", "[R85][R89]") {
    CHECK(notified({48}, {}) == kByTheSecond);
}

TEST_CASE("nd2: a Resize takes nothing from a Notify for errors that pends", "[R85][R89]") {
    CHECK(notified({}, {48}) == kByTheSecond);
}

TEST_CASE("nd2: a Notify for errors sees what fails behind several Resizes", "[R85][R89]") {
    CHECK(notified({24, 48}, {96, 32}) == kByTheSecond);
}

}  // namespace ndsim::test::nd2_notify_resized_test
