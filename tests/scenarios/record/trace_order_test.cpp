// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_order.hpp"

#include <filesystem>
#include <system_error>

#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::trace_order_test {

TraceEvent event(Picoseconds at, const std::string& text, TraceKind kind = TraceKind::slice,
                 Picoseconds duration = {}) {
    return {kind, 7, at, duration, 9, text, 0};
}

std::string release(TraceOrder& order, Picoseconds limit) {
    std::string texts;
    order.release(limit, [&](const TraceEvent& out) {
        texts += out.text;
        return true;
    });
    return texts;
}

TEST_CASE("trace order: what is earlier than the limit comes out in the order of its times") {
    TraceOrder order(temporary_folder() + "/waiting");
    order.push(event(30_ps, "c"));
    order.push(event(10_ps, "a"));
    order.push(event(40_ps, "d"));
    order.push(event(20_ps, "b"));
    CHECK(release(order, 30_ps) == "ab");
    order.push(event(35_ps, "x"));
    CHECK(release(order, 40_ps) == "cx");
    CHECK(release(order, 1us) == "d");
}

TEST_CASE("trace order: a slice that lasts beyond the limit waits, and so does what is later") {
    TraceOrder order(temporary_folder() + "/waiting");
    order.push(event(10_ps, "a", TraceKind::slice, 20_ps));
    order.push(event(20_ps, "b", TraceKind::slice, 11_ps));
    order.push(event(25_ps, "c"));
    CHECK(release(order, 30_ps) == "a");
    CHECK(release(order, 31_ps) == "bc");
}

TEST_CASE("trace order: in one picosecond what ends comes first, then the longer slices, then arrows") {
    TraceOrder order(temporary_folder() + "/waiting");
    order.push(event(10_ps, "finish ", TraceKind::flow_end));
    order.push(event(10_ps, "step ", TraceKind::flow_step));
    order.push(event(10_ps, "short ", TraceKind::slice, 1_ps));
    order.push(event(10_ps, "long ", TraceKind::slice, 2_ps));
    order.push(event(10_ps, "second ", TraceKind::slice, 2_ps));
    order.push(event(10_ps, "start ", TraceKind::flow_start));
    order.push(event(10_ps, "begin ", TraceKind::begin));
    order.push(event(10_ps, "end ", TraceKind::end));
    CHECK(release(order, 1us) == "end begin long second short start step finish ");
}

TEST_CASE("trace order: an event with a number has its place among those of its time") {
    TraceOrder order(temporary_folder() + "/waiting");
    order.push(event(10_ps, "a"));
    TraceEvent late = event(10_ps, "b");
    late.number = order.new_number();
    order.push(event(10_ps, "c"));
    order.push(std::move(late));
    CHECK(release(order, 1us) == "abc");
}

TEST_CASE("trace order: who gets the events may stop, and the rest waits") {
    TraceOrder order(temporary_folder() + "/waiting");
    for (int i = 0; i < 3; ++i) {
        order.push(event(Picoseconds{i}, std::to_string(i)));
    }
    std::string seen;
    order.release(1us, [&](const TraceEvent& out) {
        seen += out.text;
        return seen.size() < 2;
    });
    CHECK(seen == "01");
    CHECK(release(order, 1us) == "12");
}

TEST_CASE("trace order: events that wait on disk come out as they would have from memory") {
    const std::string folder = temporary_folder();
    TraceOrder small(folder + "/waiting", 10);
    TraceOrder large(folder + "/none");
    // 1009 is prime, so 500 i mod 1009 runs through times in an order that jumps. What comes out is at least 500
    // earlier than what comes in.
    std::string from_small;
    std::string from_large;
    for (int i = 0; i < 5000; ++i) {
        const TraceEvent next = event(Picoseconds{i / 2 + 500 * i % 1009},
                                      std::to_string(i) + std::string(static_cast<std::size_t>(i) % 300, 'x') + " ");
        small.push(next);
        large.push(next);
        if (i % 37 == 0) {
            from_small += release(small, Picoseconds{i / 2});
            from_large += release(large, Picoseconds{i / 2});
            CHECK(small.in_memory() <= 10);
        }
    }
    CHECK(large.in_memory() > 500);
    from_small += release(small, 1us);
    from_large += release(large, 1us);
    CHECK((from_small == from_large));
    CHECK(std::filesystem::is_empty(folder));  // the file has no name
}

TEST_CASE("trace order: an event on disk is the same event") {
    TraceOrder order(temporary_folder() + "/waiting", 0);
    order.push(event(10_ps, "text", TraceKind::flow_step, 3_ps));
    CHECK(release(order, 10_ps).empty());
    CHECK(order.in_memory() == 0);
    order.release(11_ps, [](const TraceEvent& out) {
        CHECK(out.kind == TraceKind::flow_step);
        CHECK(out.track == 7);
        CHECK(out.at == 10_ps);
        CHECK(out.duration == 3_ps);
        CHECK(out.owner == 9);
        CHECK(out.text == "text");
        return true;
    });
}

TEST_CASE("trace order: a file that cannot be opened is reported") {
    TraceOrder order("/nowhere/waiting", 0);
    order.push(event(10_ps, "a"));
    CHECK_THROWS_AS(release(order, 5_ps), std::system_error);
}

}  // namespace ndsim::test::trace_order_test
