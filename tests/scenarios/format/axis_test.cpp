// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/axis.hpp"

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::axis_test {

using Texts = std::vector<std::string>;
using Steps = std::vector<Texts>;

std::string with_sweep(const std::string& sweep) {
    return R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}}, "sweep": )" + sweep + "}";
}

TEST_CASE("axis: an entry is a value, or a range by ones, by steps or by factors") {
    CHECK(values_of("64").value == Texts{"64"});
    CHECK(values_of("4 KiB").value == Texts{"4 KiB"});
    CHECK(values_of("../times.csv").value == Texts{"../times.csv"});
    CHECK(values_of("3..6").value == Texts{"3", "4", "5", "6"});
    CHECK(values_of("0..100+25").value == Texts{"0", "25", "50", "75", "100"});
    CHECK(values_of("1..10+4").value == Texts{"1", "5", "9"});
    CHECK(values_of("1..64*2").value == Texts{"1", "2", "4", "8", "16", "32", "64"});
    CHECK(values_of("64 B..1000 B*4").value == Texts{"64 B", "256 B"});
    CHECK(values_of("7..7").value == Texts{"7"});
    // The largest numbers do not overflow.
    CHECK(values_of("4611686018427387904..18446744073709551615*2").value ==
          Texts{"4611686018427387904", "9223372036854775808"});
    CHECK(values_of("18446744073709551614..18446744073709551615").value ==
          Texts{"18446744073709551614", "18446744073709551615"});
}

TEST_CASE("axis: a range that has no end, or is none, is refused") {
    CHECK(values_of("8..1").error == "the range \"8..1\" does not reach its end");
    CHECK(values_of("4 KiB..5 KiB+512").error ==
          "the range \"4 KiB..5 KiB+512\" has a single value: its step is 512 KiB");
    CHECK(values_of("3..5*2").error == "the range \"3..5*2\" has a single value: its step is 2");
    CHECK(values_of("3..3*2").value == Texts{"3"});
    CHECK(values_of("4 KiB..4 GiB*1024").error == "the ends of the range \"4 KiB..4 GiB*1024\" need the same unit");
    CHECK(values_of("1 B..8").error == "the ends of the range \"1 B..8\" need the same unit");
    for (const std::string text : {"0.5%..1%", "1%..1.5%", "0.5 us..1 us", "1..8+0.5", "1..8*1.5"}) {
        CHECK(values_of(text).error ==
              "the range \"" + text + "\" needs whole numbers; other values are listed, such as 0.5%,0.75%,1%");
    }
    CHECK(values_of("0..8*2").error == "a range that is multiplied does not leave 0: write 0,1..8*2");
    CHECK(values_of("0 B..8 B*2").error == "a range that is multiplied does not leave 0: write 0 B,1 B..8 B*2");
    for (const std::string text : {"1..", "1..b", "1..8*1", "1..8+0", "1..8*", "1..8*2 B"}) {
        CHECK(values_of(text).error.find("expected a range such as 1..8") == 0);
    }
    // Nobody waits for these; the sweep is then refused as too large.
    CHECK(values_of("1..18446744073709551615").value.value().size() == kMostPoints + 1);
}

TEST_CASE("axis: --vary gives a path its values, and several paths one value each") {
    const Axis one = parse_axis("nic.sq.depth=1,2,4..16*2").value.value();
    CHECK(one.paths == Texts{"nic.sq.depth"});
    CHECK(one.steps == Steps{{"1"}, {"2"}, {"4"}, {"8"}, {"16"}});

    const Axis two = parse_axis("a,b=1:2,3..4").value.value();
    CHECK(two.paths == Texts{"a", "b"});
    CHECK(two.steps == Steps{{"1", "2"}, {"3", "3"}, {"4", "4"}});
    CHECK(parse_axis("a=1:2").value.value().steps == Steps{{"1:2"}});

    CHECK(parse_axis("nic.sq.depth").error.find("expected path=value,value...") == 0);
    CHECK(parse_axis("=1").error.find("expected path=value,value...") == 0);
    CHECK(parse_axis("a=").error.find("expected path=value,value...") == 0);
    CHECK(parse_axis("a,b=1:2:3").error == "a,b: expected 2 values with \":\" between them, got \"1:2:3\"");
}

TEST_CASE("axis: points are all combinations, the last axis fastest") {
    const std::vector<Axis> axes{parse_axis("a=1,2").value.value(), parse_axis("b,c=3:4,5:6,7:8").value.value()};
    REQUIRE(points_of(axes) == 6);
    CHECK(overrides_of(axes, 0) == Texts{"a=1", "b=3", "c=4"});
    CHECK(overrides_of(axes, 1) == Texts{"a=1", "b=5", "c=6"});
    CHECK(overrides_of(axes, 3) == Texts{"a=2", "b=3", "c=4"});
    CHECK(overrides_of(axes, 5) == Texts{"a=2", "b=7", "c=8"});
    // 1,000 x 1,000 x 2 are twice as many as there may be.
    const Axis thousand = parse_axis("a=1..1000").value.value();
    CHECK(points_of({thousand, thousand}) == kMostPoints);
    CHECK(points_of({thousand, thousand, parse_axis("b=1,2").value.value()}) == kMostPoints + 1);
}

TEST_CASE("axis: a scenario says what to vary") {
    const Scenario s = load(with_sweep(R"([{"vary": "nic.sq.depth", "values": [1, "2..8*2", "16"]},
                                           {"vary": ["traffic.t.window", "seed"], "values": [[4, 1], 8]},
                                           {"vary": "outputs.waves", "values": [true, false]},
                                           {"vary": "traffic.t.size", "values": "64 B..256 B*2"}])"));
    REQUIRE(s.sweep.size() == 4);
    CHECK(s.sweep[0].paths == Texts{"nic.sq.depth"});
    CHECK(s.sweep[0].steps == Steps{{"1"}, {"2"}, {"4"}, {"8"}, {"16"}});
    CHECK(s.sweep[1].paths == Texts{"traffic.t.window", "seed"});
    CHECK(s.sweep[1].steps == Steps{{"4", "1"}, {"8", "8"}});
    CHECK(s.sweep[2].steps == Steps{{"true"}, {"false"}});
    CHECK(s.sweep[3].steps == Steps{{"64 B"}, {"128 B"}, {"256 B"}});
    CHECK(s.sweep[0].at.line == 1);
}

TEST_CASE("axis: what is wrong with a scenario's sweep is said with its place") {
    CHECK(refusal(with_sweep(R"([{"vary": "seed"}])")).find("sweep[0]: \"values\" is missing") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"values": [1]}])")).find("sweep[0]: \"vary\" is missing") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": "seed", "values": []}])"))
              .find("sweep[0].values: expected at least one value") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": [], "values": [1]}])")).find("sweep[0].vary: expected at least one path") !=
          std::string::npos);
    CHECK(
        refusal(with_sweep(R"([{"vary": [""], "values": [1]}])")).find("sweep[0].vary[0]: expected a path, such as") !=
        std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": "seed", "values": [{}]}])"))
              .find("sweep[0].values[0]: expected a value, or a range") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": "seed", "values": ["1.."]}])"))
              .find("sweep[0].values[0]: expected a range such as 1..8") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": ["seed", "nic.mtu"], "values": [[1]]}])"))
              .find("sweep[0].values[0]: expected one value for each path, which are 2") != std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": "seed", "value": [1]}])")).find("did you mean \"values\"?") !=
          std::string::npos);
    CHECK(refusal(with_sweep(R"([{"vary": "seed", "values": "1..2000000"}])")).find("has more than 1000000 points") !=
          std::string::npos);
}

}  // namespace ndsim::test::axis_test
