// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_receiver.hpp"

namespace ndsim::test::nd2_notify_test {

// How a Notify for errors and one for any stand when a message was too long for its Receive, and all others have been
// cancelled.
std::vector<HRESULT> after_failure(const std::vector<std::string>& overrides) {
    std::vector<HRESULT> statuses;
    const auto wait = [&](Nd2Party& b) {
        Nd2Call errors(b.os);
        Nd2Call any(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, errors);
        notify(b, ND_CQ_NOTIFY_ANY, any);
        until_ms(b.os, 8);
        statuses = {now(b, errors), now(b, any)};
        expect(next(b, 8).front().status != ND_SUCCESS, "it has failed");
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    };
    run_receiver({{4, 0, 65}}, wait, overrides);
    return statuses;
}

// Completions of overlapped calls would come to the port.
TEST_CASE("nd2: nobody is notified who has not called Notify, be the message marked or not", "[R76][R86]") {
    Win32Error packets = ERROR_SUCCESS;
    Endings results;
    run_receiver({{4}, {8, kMarked}}, [&](Nd2Party& b) {
        const HANDLE port = b.os.create_port(b.file, nullptr, 0);
        expect(port != nullptr, "a port");
        PortPacket packet;
        packets = b.os.dequeue(port, packet, 10);
        results = poll(b);
    });
    CHECK(packets == WAIT_TIMEOUT);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}});
}

TEST_CASE("nd2: a Notify pends until the next result, which can then be retrieved", "[R77]") {
    HRESULT before = ND_SUCCESS;
    HRESULT status = ND_PENDING;
    Endings results;
    run_receiver({{6}}, [&](Nd2Party& b) {
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, call);
        until_ms(b.os, 4);
        before = now(b, call);
        status = call.end(*b.cq.get());
        results = poll(b);
    });
    CHECK(before == ND_PENDING);
    CHECK(status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1}});
}

// Nothing comes any more when B calls Notify, within the seventh millisecond.
TEST_CASE("nd2: a result that came before Notify and after the last look completes it at once", "[R78][B16]") {
    Endings before{{}};
    DWORD waited = WAIT_FAILED;
    HRESULT status = ND_PENDING;
    run_receiver({{4}}, [&](Nd2Party& b) {
        before = poll(b);
        until_ms(b.os, 6);
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, call);
        waited = b.os.wait(&call.overlapped.hEvent, 1, false, 1);
        status = now(b, call);
    });
    CHECK(before.empty());
    CHECK(waited == WAIT_OBJECT_0);
    CHECK(status == ND_SUCCESS);
}

// How a Notify for errors and a later one of this type stand, when a marked message was there before both.
std::vector<HRESULT> behind_errors(ULONG type) {
    std::vector<HRESULT> statuses;
    run_receiver({{4, kMarked}}, [&](Nd2Party& b) {
        until_ms(b.os, 5);
        Nd2Call errors(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, errors);
        until_ms(b.os, 6);
        Nd2Call call(b.os);
        notify(b, type, call);
        until_ms(b.os, 7);
        statuses = {now(b, errors), now(b, call)};
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    });
    return statuses;
}

// The Notify for errors is none that the message completes, so it has notified nobody.
TEST_CASE("nd2: what a Notify for errors passes over completes a later one for any at once", "[R78][R85][B16]") {
    CHECK(behind_errors(ND_CQ_NOTIFY_ANY) == std::vector<HRESULT>{ND_PENDING, ND_SUCCESS});
}

TEST_CASE("nd2: what a Notify for errors passes over completes a later one for solicited results", "[R78][R85][B16]") {
    CHECK(behind_errors(ND_CQ_NOTIFY_SOLICITED) == std::vector<HRESULT>{ND_PENDING, ND_SUCCESS});
}

TEST_CASE("nd2: one result completes all that are queued", "[R79][B16]") {
    std::vector<HRESULT> before;
    std::vector<HRESULT> after;
    run_receiver({{6}}, [&](Nd2Party& b) {
        Nd2Call first(b.os);
        Nd2Call second(b.os);
        Nd2Call third(b.os);
        for (Nd2Call* const call : {&first, &second, &third}) {
            notify(b, ND_CQ_NOTIFY_ANY, *call);
        }
        until_ms(b.os, 4);
        before = {now(b, first), now(b, second), now(b, third)};
        until_ms(b.os, 8);
        after = {now(b, first), now(b, second), now(b, third)};
    });
    CHECK(before == std::vector<HRESULT>(3, ND_PENDING));
    CHECK(after == std::vector<HRESULT>(3, ND_SUCCESS));
}

TEST_CASE("nd2: a result that was notified of does not count again, though nobody has retrieved it", "[R80][B16]") {
    HRESULT first_status = ND_PENDING;
    HRESULT between = ND_SUCCESS;
    HRESULT second_status = ND_PENDING;
    Endings results;
    run_receiver({{4}, {8}}, [&](Nd2Party& b) {
        Nd2Call first(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, first);
        first_status = first.end(*b.cq.get());
        Nd2Call second(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, second);
        until_ms(b.os, 6);
        between = now(b, second);
        second_status = second.end(*b.cq.get());
        results = poll(b);
    });
    CHECK(first_status == ND_SUCCESS);
    CHECK(between == ND_PENDING);
    CHECK(second_status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}});
}

TEST_CASE("nd2: Notify for solicited results waits for a message that is marked", "[R81]") {
    HRESULT between = ND_SUCCESS;
    HRESULT status = ND_PENDING;
    Endings results;
    run_receiver({{4}, {8, kMarked}}, [&](Nd2Party& b) {
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, call);
        until_ms(b.os, 6);
        between = now(b, call);
        status = call.end(*b.cq.get());
        results = poll(b);
    });
    CHECK(between == ND_PENDING);
    CHECK(status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}});
}

// It must not matter whether a message came just before Notify or just behind it.
TEST_CASE("nd2: an unmarked message that is there already does not complete Notify for solicited results", "[R81]") {
    HRESULT between = ND_SUCCESS;
    HRESULT status = ND_PENDING;
    run_receiver({{4}, {8, kMarked}}, [&](Nd2Party& b) {
        until_ms(b.os, 5);
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, call);
        until_ms(b.os, 7);
        between = now(b, call);
        status = call.end(*b.cq.get());
    });
    CHECK(between == ND_PENDING);
    CHECK(status == ND_SUCCESS);
}

TEST_CASE("nd2: of a batch whose last message is marked come one notification and all Receives", "[R82][R59]") {
    HRESULT status = ND_PENDING;
    HRESULT another = ND_SUCCESS;
    Endings results;
    run_receiver({{4}, {4}, {4}, {4, kMarked}}, [&](Nd2Party& b) {
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, call);
        status = call.end(*b.cq.get());
        results = poll(b);
        Nd2Call again(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, again);
        until_ms(b.os, 8);
        another = now(b, again);
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS && again.end(*b.cq.get()) == ND_CANCELED, "over");
    });
    CHECK(status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1},
                             {kReceive, ND_SUCCESS, 2},
                             {kReceive, ND_SUCCESS, 3},
                             {kReceive, ND_SUCCESS, 4}});
    CHECK(another == ND_PENDING);
}

TEST_CASE("nd2: a result that is an error completes Notify for solicited ones", "[R83]") {
    HRESULT before = ND_SUCCESS;
    HRESULT status = ND_PENDING;
    run_receiver({}, [&](Nd2Party& b) {
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, call);
        until_ms(b.os, 4);
        before = now(b, call);
        expect(b.qp->Flush() == ND_SUCCESS, "which cancels the Receives");
        status = call.end(*b.cq.get());
    });
    CHECK(before == ND_PENDING);
    CHECK(status == ND_SUCCESS);
}

TEST_CASE("nd2: a Notify for solicited results and one for any complete together", "[R84]") {
    std::vector<HRESULT> before;
    std::vector<HRESULT> after;
    run_receiver({{6}}, [&](Nd2Party& b) {
        Nd2Call solicited(b.os);
        Nd2Call any(b.os);
        notify(b, ND_CQ_NOTIFY_SOLICITED, solicited);
        notify(b, ND_CQ_NOTIFY_ANY, any);
        until_ms(b.os, 4);
        before = {now(b, solicited), now(b, any)};
        until_ms(b.os, 8);
        after = {now(b, solicited), now(b, any)};
    });
    CHECK(before == std::vector<HRESULT>(2, ND_PENDING));
    CHECK(after == std::vector<HRESULT>(2, ND_SUCCESS));
}

// The third message is too long for its Receive, which is an error.
TEST_CASE("nd2: Notify for errors ignores what succeeds, marked or not, and sees what fails", "[R85]") {
    std::vector<HRESULT> between;
    HRESULT status = ND_PENDING;
    Endings results;
    run_receiver({{4}, {8, kMarked}, {12, 0, 65}}, [&](Nd2Party& b) {
        Nd2Call call(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, call);
        until_ms(b.os, 6);
        between.push_back(now(b, call));
        until_ms(b.os, 10);
        between.push_back(now(b, call));
        status = call.end(*b.cq.get());
        results = next(b, 3);
    });
    CHECK(between == std::vector<HRESULT>(2, ND_PENDING));
    CHECK(status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}, {kReceive, ND_BUFFER_OVERFLOW, 3}});
}

TEST_CASE("nd2: a result that fails completes Notify for errors and for any", "[R85]") {
    CHECK(after_failure({}) == std::vector<HRESULT>(2, ND_SUCCESS));
}

TEST_CASE("nd2: a result that fails completes Notify for any alone, in InfiniBand", "[R85]") {
    CHECK(after_failure({"profile=infiniband"}) == std::vector<HRESULT>{ND_PENDING, ND_SUCCESS});
}

TEST_CASE("nd2: a result that fails completes Notify for errors in InfiniBand, too, if the adapter counts it",
          "[R85]") {
    CHECK(after_failure({"profile=infiniband", "nic.cq.errors_arm_on_failed_wr=true"}) ==
          std::vector<HRESULT>(2, ND_SUCCESS));
}

// A poll sees the failure before its interrupt is there.
TEST_CASE("nd2: a failure that is polled at once completes Notify for errors all the same", "[R78][R85]") {
    HRESULT status = ND_PENDING;
    run_receiver({{4, 0, 65}}, [&](Nd2Party& b) {
        Nd2Call errors(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, errors);
        expect(next(b, 8).front().status != ND_SUCCESS, "it has failed");
        until_ms(b.os, 8);
        status = now(b, errors);
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    });
    CHECK(status == ND_SUCCESS);
}

// Each notification has the provider arm the queue again for the request that waits for errors, while B may poll.
TEST_CASE("nd2: a program may poll while its Notify requests pend", "[R76][R84]") {
    const RunResult run = run_receiver({{4}, {5}, {6}, {7}}, [&](Nd2Party& b) {
        Nd2Call errors(b.os);
        notify(b, ND_CQ_NOTIFY_ERRORS, errors);
        for (int i = 0; i < 4; ++i) {
            Nd2Call any(b.os);
            notify(b, ND_CQ_NOTIFY_ANY, any);
            while (now(b, any) == ND_PENDING) {
                poll(b);
            }
        }
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    });
    CHECK(run.metrics.find("programs.B.consumer_errors")->value == 0);
}

}  // namespace ndsim::test::nd2_notify_test
