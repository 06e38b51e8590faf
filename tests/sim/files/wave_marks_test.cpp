// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_marks.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::wave_marks_test {

using namespace std::chrono_literals;

using Names = std::vector<std::string>;

TEST_CASE("wave marks: names that would overlap stand together at the first mark") {
    // A letter has 5.5 pixels, and a pixel is 1000 ps. Half of each name and two letters between them are
    // (6 + 6 + 2) / 2 = 7 letters, which are 38.5 pixels.
    const std::vector<WaveMark> apart{{100ns, "A.read"}, {Picoseconds{138500}, "A.send"}};
    CHECK(mark_names(apart, 1000.0) == Names{"A.read", "A.send"});
    const std::vector<WaveMark> near{{100ns, "A.read"}, {Picoseconds{138499}, "A.send"}};
    CHECK(mark_names(near, 1000.0) == Names{"A.read, A.send", " "});
}

TEST_CASE("wave marks: the width of names that stand together counts, and behind them others stand alone") {
    // "A.read, A.send" and "B.r" need (14 + 3 + 2) / 2 = 9.5 letters from the first mark: 52.25 pixels.
    const std::vector<WaveMark> marks{{100ns, "A.read"}, {110ns, "A.send"}, {152ns, "B.r"}, {400ns, "B.late"}};
    CHECK(mark_names(marks, 1000.0) == Names{"A.read, A.send, B.r", " ", " ", "B.late"});
    CHECK(mark_names(marks, 800.0) == Names{"A.read, A.send", " ", "B.r", "B.late"});
}

TEST_CASE("wave marks: of more than four names that stand together, the first and the last are written") {
    std::vector<WaveMark> marks(5, {100ns, "A.w"});
    marks.back().name = "A.z";
    CHECK(mark_names(marks, 1000.0) == Names{"A.w ... A.z", " ", " ", " ", " "});
    marks.pop_back();
    CHECK(mark_names(marks, 1000.0) == Names{"A.w, A.w, A.w, A.w", " ", " ", " "});
    CHECK(mark_names({}, 1000.0).empty());
}

}  // namespace ndsim::test::wave_marks_test
