// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/send_turns.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::send_turns_test {

TEST_CASE("send turns: queue pairs stand in the order in which they came, each once") {
    SendTurns turns;
    SendTurns::Place first;
    SendTurns::Place second;
    turns.add(first, 1);
    turns.add(second, 2);
    turns.add(first, 1);
    SendTurns::Row& row = turns.row(false);
    CHECK(row.size() == 2);
    CHECK(row.front() == 1);
    SendTurns::end(row, first);
    turns.add(first, 1);
    CHECK(row.front() == 2);
    CHECK(row.size() == 2);
}

TEST_CASE("send turns: one that is held has no turn until it is let go") {
    SendTurns turns;
    SendTurns::Place place;
    turns.hold(place, Stall::fence);
    turns.add(place, 1);
    CHECK(turns.row(false).empty());
    CHECK(turns.let_go(place));
    CHECK_FALSE(turns.let_go(place));
    turns.add(place, 1);
    CHECK(turns.row(false).front() == 1);
}

TEST_CASE("send turns: of all stalls that hold somebody the first one is told") {
    SendTurns turns;
    SendTurns::Place one;
    SendTurns::Place other;
    CHECK_FALSE(turns.any_held());
    turns.hold(one, Stall::context);
    turns.hold(other, Stall::fence);  // stands before it in the table of stalls
    CHECK(turns.any_held());
    CHECK(turns.first_held() == Stall::fence);
    turns.let_go(other);
    CHECK(turns.first_held() == Stall::context);
    turns.let_go(one);
    CHECK_FALSE(turns.any_held());
}

TEST_CASE("send turns: who waits for a slot stands in a row of its own, and keeps its turn") {
    SendTurns turns;
    SendTurns::Place first;
    SendTurns::Place second;
    turns.add(first, 1);
    turns.add(second, 2);
    turns.wait_for_slot(turns.row(false));
    turns.add(first, 1);
    CHECK(turns.starters().front() == 1);
    CHECK(turns.row(true).size() == 1);
    CHECK(turns.row(false).front() == 2);
    CHECK(turns.row(false).size() == 1);
    SendTurns::end(turns.row(true), first);
    CHECK(turns.starters().empty());
}

}  // namespace ndsim::test::send_turns_test
