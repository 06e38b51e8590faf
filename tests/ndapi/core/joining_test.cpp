// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/core/connecting.hpp"

// Messages of the peer that come while the NIC carries out a step of the connect.
namespace ndsim::test::joining_test {

using core::CmKind;
using Notes = Connecting::Notes;

// The peer has accepted at 5 us, and gives up at 6 us. The NIC connects the queue pair until 9.1 us.
struct Joining : Connecting {
    Joining() {
        answer(5us, CmKind::reply);
        answer(6us, CmKind::abort);
        hold_answers(4us, 9us);
    }
    // At 7 us.
    void close(core::Object& object) {
        object.close([this](const std::function<void()>& let_go) {
            closed.push_back(callback_core.clock());
            let_go();
        });
    }

    std::vector<Picoseconds> closed;
};

TEST_CASE("joining: a connect ends before the peer's end is told, which completing it reports", "[K174][K176][K209]") {
    Joining bench;
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(7us);
        CHECK(bench.complete() == STATUS_CONNECTION_INVALID);  // the connect has not ended
        bench.core.sleep(10us);
        CHECK(bench.complete() == STATUS_CONNECTION_ABORTED);
    });
    bench.run();
    CHECK(bench.notes == Notes{{9100ns, STATUS_SUCCESS}});
    CHECK(bench.pair.qp.state() == core::Qp::State::disconnected);
    CHECK(bench.device.commands_of<FailQp>().at(0).at == 9100ns);
    CHECK(bench.driver.counters().connect_failures == 1);
}

TEST_CASE("joining: a connector closed after the peer has given up ends its connect at once", "[K202][R142]") {
    Joining bench;
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(7us);
        bench.close(bench.connector);
        bench.core.sleep(8us);
        CHECK(bench.notes == Notes{{7us, STATUS_CANCELLED}});
        CHECK(bench.pair.qp.state() == core::Qp::State::idle);  // as before
    });
    bench.run();
    CHECK(bench.notes.size() == 1);
    CHECK(bench.closed == std::vector<Picoseconds>{9100ns});  // the NIC's answer
    CHECK(bench.device.commands_of<FailQp>().empty());        // its receives stay
    CHECK(bench.device.messages().size() == 1);               // the peer, which has gone, is told nothing
    CHECK(bench.driver.counters().connect_failures == 0);     // to cancel is no failure
}

TEST_CASE("joining: a queue pair closed after the peer has given up ends its connect at once", "[R147]") {
    Joining bench;
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(7us);
        bench.close(bench.pair.qp);
        bench.core.sleep(8us);
        CHECK(bench.notes == Notes{{7us, STATUS_CANCELLED}});
        CHECK(bench.complete() == STATUS_CONNECTION_ABORTED);
    });
    bench.run();
    CHECK(bench.notes.size() == 1);
}

// The peer has accepted at 1.5 us, and this side completes at 2 us. The NIC answers at 4.1 us that it has sent that;
// the peer, which has got it, disconnects at 3 us.
struct LeftEarly : Connecting {
    LeftEarly() {
        answer(1500ns, CmKind::reply);
        answer(3us, CmKind::disconnect);
        hold_answers(1800ns, 4us);
        program(1us, [this] {
            CHECK(connect() == STATUS_PENDING);
            core.sleep(2us);
            CHECK(complete() == STATUS_PENDING);
        });
    }
};

TEST_CASE("joining: a peer that leaves before the connect is complete has the queue pair flushed then", "[R98]") {
    LeftEarly bench;
    bench.connector.end_as_in_ndspi();
    bench.run();
    CHECK(bench.notes == Notes{{1600ns, STATUS_SUCCESS}, {4100ns, STATUS_SUCCESS}});
    CHECK(bench.disconnects == std::vector<Picoseconds>{4100ns});
    const auto flushes = bench.device.commands_of<FailQp>();
    REQUIRE(flushes.size() == 1);
    CHECK(flushes[0].at == 4100ns);
}

TEST_CASE("joining: a peer that leaves before the connect is complete has nothing flushed in NDKPI", "[K157]") {
    LeftEarly bench;
    bench.run();
    CHECK(bench.notes.size() == 2);
    CHECK(bench.disconnects == std::vector<Picoseconds>{4100ns});
    CHECK(bench.device.commands_of<FailQp>().empty());
}

// A connect that closes one of its objects at `when`. The peer accepts at 5 us, and the NIC is done at 9.1 us.
void cancel(Picoseconds when, const std::function<core::Object&(Connecting&)>& object) {
    Connecting bench;
    bench.answer(5us, CmKind::reply);
    bench.hold_answers(4us, 9us);
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(when);
        object(bench).close([](const std::function<void()>& let_go) { let_go(); });
    });
    bench.run();
    CHECK(bench.notes == Notes{{when, STATUS_CANCELLED}});
    CHECK(bench.driver.counters().connect_failures == 0);
}

core::Object& its_connector(Connecting& bench) {
    return bench.connector;
}
core::Object& its_qp(Connecting& bench) {
    return bench.pair.qp;
}

TEST_CASE("joining: a connect cancelled by closing its connector is no failure", "[K202][K209]") {
    cancel(3us, its_connector);
}
TEST_CASE("joining: a connect cancelled by closing its queue pair is no failure", "[K209][R147]") {
    cancel(3us, its_qp);
}
TEST_CASE("joining: a connect cancelled behind the peer's accept is no failure", "[K202][K209]") {
    cancel(7us, its_connector);
}
TEST_CASE("joining: a connect whose queue pair is closed behind the peer's accept is no failure", "[K209][R147]") {
    cancel(7us, its_qp);
}

}  // namespace ndsim::test::joining_test
