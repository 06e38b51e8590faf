// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/fit.hpp"

#include <cmath>

#include "tests/support/catch.hpp"
#include "tools/calibrate/linear_equations.hpp"
#include "tools/calibrate/parameter.hpp"

namespace ndsim::calibrate::fit_test {

// All parameters go from 50 to 200, so that 100 is in the middle.
double value(double place) {
    return 50 * std::pow(4, place);
}
double place(double value_there) {
    return std::log(value_there / 50) / std::log(4.0);
}

// What is simulated, as a function of the parameters, against what was measured.
template <class Model>
Oracle oracle(const Model& model, const std::vector<double>& measured, std::size_t* asked = nullptr) {
    return [=](const std::vector<Values>& points) {
        std::vector<Errors> all;
        for (const Values& point : points) {
            std::vector<double> errors = model(point);
            for (std::size_t i = 0; i < errors.size(); ++i) {
                errors[i] = std::log(errors[i] / measured[i]);
            }
            all.emplace_back(errors);
        }
        if (asked != nullptr) {
            *asked += points.size();
        }
        return all;
    };
}

TEST_CASE("fit: two times with different parts of two parameters say both") {
    // 1000 + 2 a + b and 500 + b, with a = 150 and b = 70.
    const auto model = [](const Values& x) {
        return std::vector<double>{1000 + 2 * value(x[0]) + value(x[1]), 500 + value(x[1])};
    };
    Fitter fitter(oracle(model, {1370, 570}), {0.5, 0.5});
    const Fitted best = fitter.fit();
    CHECK(best.rms() < 1e-3);
    CHECK(value(best.values[0]) == Catch::Approx(150).epsilon(0.01));
    CHECK(value(best.values[1]) == Catch::Approx(70).epsilon(0.01));
    // Half a percent of 570 is 2.85, root mean square of two 4.0: b may be wrong by no more.
    const auto within = fitter.within(best);
    CHECK(value(within[1].low) == Catch::Approx(70 - 4).epsilon(0.03));
    CHECK(value(within[1].high) == Catch::Approx(70 + 4).epsilon(0.03));
    CHECK(within[0].low > place(130));
    CHECK(within[0].high < place(170));
}

TEST_CASE("fit: a parameter that nothing depends on stays where it was, and is not determined") {
    const auto model = [](const Values& x) { return std::vector<double>{1000 + value(x[0])}; };
    Fitter fitter(oracle(model, {1060}), {0.5, 0.3});
    const Fitted best = fitter.fit();
    CHECK(value(best.values[0]) == Catch::Approx(60).epsilon(0.01));
    CHECK(best.values[1] == 0.3);
    const auto within = fitter.within(best);
    CHECK(within[1].low == 0);
    CHECK(within[1].high == 1);
}

TEST_CASE("fit: of two of which only the sum counts both go as far as the other can make up for it") {
    // a + b = 250 of 1250: at a = 50 b is 200, and the other way round.
    const auto model = [](const Values& x) { return std::vector<double>{1000 + value(x[0]) + value(x[1])}; };
    Fitter fitter(oracle(model, {1250}), {0.5, 0.5});
    const Fitted best = fitter.fit();
    CHECK(value(best.values[0]) + value(best.values[1]) == Catch::Approx(250).epsilon(0.002));
    // Both were 100, and both matter equally: neither is preferred.
    CHECK(value(best.values[0]) == Catch::Approx(125).epsilon(0.02));
    for (const Fitter::Within& each : fitter.within(best)) {
        CHECK(each.low == 0);
        CHECK(each.high == 1);
    }
}

TEST_CASE("fit: the interval goes as far as the others can make up for it, over ranges far from linear") {
    // All go from 20 to 320, and both figures depend on a + b = 250: at a = 20 b is 230, and the other way round.
    const auto wide = [](double there) { return 20 * std::pow(16, there); };
    const auto model = [&](const Values& x) {
        const double sum = wide(x[0]) + wide(x[1]);
        return std::vector<double>{1000 + 2 * sum, 2000 + 2 * sum};
    };
    std::size_t asked = 0;
    Fitter fitter(oracle(model, {1500, 2500}, &asked), {0.2, 0.4});
    const Fitted best = fitter.fit();
    CHECK(best.rms() < 1e-3);
    asked = 0;
    // At b = 20 and a = 230 + d the figures are 2 d / 1500 and 2 d / 2500 too long, root mean square d x 0.0011: half a
    // percent is d = 4.5. The search is as fine as some hundredths of the range, 2.8 % each.
    for (const Fitter::Within& each : fitter.within(best)) {
        CHECK(each.low == 0);
        CHECK(wide(each.high) == Catch::Approx(234.5).epsilon(0.06));
    }
    // A round of 8 points, and for each of four ends six tries of 2 points and, on average, a round: where the error
    // stays large, the others are not refitted again and again.
    CHECK(asked <= 8 + 4 * 6 * (2 + 8));
}

TEST_CASE("fit: the interval has the values beyond a hole that the fit happened to try") {
    // Right up to 0.9 of the range, but for a hole from 0.7 to 0.8. The scan has tried 0.875.
    const auto model = [](const Values& x) {
        const bool is_hole = x[0] > 0.7 && x[0] < 0.8;
        return std::vector<double>{x[0] > 0.9 ? 1100.0 : is_hole ? 1030.0 : 1000.0};
    };
    Fitter fitter(oracle(model, {1000}), {0.5});
    const auto within = fitter.within(fitter.fit());
    CHECK(within[0].low == 0);
    CHECK(within[0].high == Catch::Approx(0.9).margin(0.02));
}

TEST_CASE("fit: the interval has the values that it began with, if they are good, too") {
    // Right up to 0.3; then 3 % wrong, but for 0.4 % from 0.82 to 0.86, less than the 0.5 % that count as good.
    const auto model = [](const Values& x) {
        const bool is_good = x[0] > 0.82 && x[0] < 0.86;
        return std::vector<double>{x[0] < 0.3 ? 1000.0 : is_good ? 1004.0 : 1030.0};
    };
    Fitter fitter(oracle(model, {1000}), {0.84});
    const auto best = fitter.fit();
    CHECK(best.values[0] < 0.3);
    CHECK(fitter.within(best)[0].high >= 0.84);
}

TEST_CASE("fit: a cap is found although it does not bind where the search begins") {
    // The rate is the smaller of a cap, up to 200, and 90; 60 were measured.
    const auto model = [](const Values& x) { return std::vector<double>{std::min(value(x[0]), 90.0)}; };
    Fitter fitter(oracle(model, {60}), {place(150)});
    CHECK(value(fitter.fit().values[0]) == Catch::Approx(60).epsilon(0.01));
}

TEST_CASE("fit: a parameter that another limit hides is found, where a half of its range goes too far") {
    // 100 until the parameter is 140, at 0.74 of the range; then it falls with the fourth power. 80 were measured:
    // 140 * (100 / 80) ^ (1 / 4) = 148.0, at 0.783. From 0.4, 0.9 has 41.5 and 0.65 has 100, the best of what is near.
    const auto model = [](const Values& x) {
        return std::vector<double>{100 * std::min(1.0, std::pow(140 / value(x[0]), 4))};
    };
    Fitter fitter(oracle(model, {80}), {0.4});
    CHECK(value(fitter.fit().values[0]) == Catch::Approx(148).epsilon(0.01));
}

TEST_CASE("fit: a cap that does not bind may be anything above what was measured") {
    const auto model = [](const Values& x) { return std::vector<double>{std::min(value(x[0]), 90.0)}; };
    Fitter fitter(oracle(model, {90}), {place(150)});
    const auto within = fitter.within(fitter.fit());
    // Half a percent less than 90 is 89.55; the search is as fine as a hundredth of the range, 1.4 %, or a few of
    // these.
    CHECK(value(within[0].low) == Catch::Approx(89.55).epsilon(0.05));
    CHECK(within[0].high == 1);
}

TEST_CASE("fit: what no value can explain ends at the end of the range") {
    const auto model = [](const Values& x) { return std::vector<double>{1000 + value(x[0]), 500 + value(x[0])}; };
    Fitter fitter(oracle(model, {2000, 1000}), {0.5});
    const Fitted best = fitter.fit();
    CHECK(best.values[0] == 1);
    // ln(1200/2000) and ln(700/1000).
    CHECK(best.rms() == Catch::Approx(std::sqrt((0.5108 * 0.5108 + 0.3567 * 0.3567) / 2)).epsilon(0.001));
}

TEST_CASE("fit: points that cannot be are passed over") {
    const auto model = [](const Values& x) { return std::vector<double>{1000 + value(x[0])}; };
    const Oracle all = oracle(model, {1190});
    const Oracle some = [&](const std::vector<Values>& points) {
        std::vector<Errors> errors = all(points);
        for (std::size_t i = 0; i < points.size(); ++i) {
            errors[i] = points[i][0] > place(195) ? std::nullopt : errors[i];
        }
        return errors;
    };
    Fitter fitter(some, {0.5});
    const Fitted best = fitter.fit();
    CHECK(value(best.values[0]) == Catch::Approx(190).epsilon(0.01));
    CHECK(fitter.within(best)[0].high < 1);
    CHECK_THROWS_AS(Fitter(some, {1.0}), std::logic_error);
}

// As with powers of two from 8 to 16: no other value makes a scenario.
TEST_CASE("fit: a parameter of which only the ends are values is fitted from one end to the other") {
    const auto model = [](const Values& x) { return std::vector<double>{1000 + value(x[0])}; };
    const Oracle all = oracle(model, {1050});
    const Oracle ends = [&](const std::vector<Values>& points) {
        std::vector<Errors> errors = all(points);
        for (std::size_t i = 0; i < points.size(); ++i) {
            errors[i] = points[i][0] > 0 && points[i][0] < 1 ? std::nullopt : errors[i];
        }
        return errors;
    };
    CHECK(Fitter(ends, {1.0}).fit().values[0] == 0);
}

TEST_CASE("fit: it asks for few points, and always for the same ones") {
    const auto model = [](const Values& x) {
        return std::vector<double>{1000 + value(x[0]) + 3 * value(x[1]), 300 + 2 * value(x[0])};
    };
    std::size_t first = 0;
    std::size_t second = 0;
    const Fitted a = Fitter(oracle(model, {1500, 440}, &first), {0.5, 0.5}).fit();
    const Fitted b = Fitter(oracle(model, {1500, 440}, &second), {0.5, 0.5}).fit();
    CHECK(a.values == b.values);
    CHECK(first == second);
    // The begin, and at most ten halvings of the step with two points for each parameter and four that they lead to.
    CHECK(first <= 1 + 10 * (2 * 2 + 4));
}

TEST_CASE("linear equations: a solution, and 0 for what nothing depends on") {
    // 2 x + y = 5 and x + 3 y = 10: x = 1, y = 3.
    const std::vector<double> solution = solution_of({{2, 1}, {1, 3}}, {5, 10});
    CHECK(solution[0] == Catch::Approx(1));
    CHECK(solution[1] == Catch::Approx(3));
    CHECK(solution_of({{0, 0}, {0, 2}}, {0, 4}) == std::vector<double>{0, 2});
    // The first row has no x: rows change places.
    CHECK(solution_of({{0, 1}, {1, 0}}, {3, 4}) == std::vector<double>{4, 3});
}

TEST_CASE("parameter: values go in logarithmic steps from end to end, with four digits") {
    const Parameter pipe(
        {"nic.rx_pipe", {"hosts.A.nic.rx_pipe"}, Quantity::time, "100 ns", "50 ns", "200 ns", true, ""});
    CHECK(pipe.begin() == Catch::Approx(0.5));
    CHECK(pipe.at(pipe.begin()) == "100 ns");
    CHECK(pipe.at(0) == "50 ns");
    CHECK(pipe.at(1) == "200 ns");
    CHECK(pipe.at(0.75) == "141.4 ns");  // 50 x 4^0.75
    CHECK(pipe.overrides_at(0) == std::vector<std::string>{"hosts.A.nic.rx_pipe=50 ns"});
    // Without a low end it begins at its value.
    const Parameter entries({"iommu.iotlb_entries", {"x"}, std::nullopt, "64", std::nullopt, "128", true, ""});
    CHECK(entries.begin() == 0);
    CHECK(entries.at(0.5) == "91");  // 64 x sqrt(2) = 90.51
}

}  // namespace ndsim::calibrate::fit_test
