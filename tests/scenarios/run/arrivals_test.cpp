// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/arrivals.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::arrivals_test {

using namespace std::chrono_literals;

std::vector<Picoseconds> first(const Traffic& traffic, std::size_t count) {
    Arrivals arrivals(traffic, 1);
    arrivals.begin(1us);
    std::vector<Picoseconds> times;
    for (std::size_t i = 0; i < count; ++i) {
        times.push_back(arrivals.next());
        arrivals.taken();
    }
    return times;
}

std::string open_loop(const std::string& more) {
    return R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", )" + more + "}}}";
}

TEST_CASE("arrivals: at a fixed interval, and in bursts") {
    Traffic traffic;
    traffic.arrivals = ArrivalKind::fixed;
    traffic.interval = 2us;
    CHECK(first(traffic, 3) == std::vector<Picoseconds>{1us, 3us, 5us});
    traffic.arrivals = ArrivalKind::on_off;
    traffic.burst = 2;
    traffic.pause = 10us;
    CHECK(first(traffic, 5) == std::vector<Picoseconds>{1us, 3us, 13us, 15us, 25us});
}

TEST_CASE("arrivals: by a trace, from the start of the generator on") {
    Traffic traffic;
    traffic.arrivals = ArrivalKind::trace;
    traffic.times = {0us, 5us, 5us};
    CHECK(first(traffic, 3) == std::vector<Picoseconds>{1us, 6us, 6us});
}

// Mean and standard deviation of exponential gaps are the interval; of 100,000 of them the mean has 0.3 % of deviation.
TEST_CASE("arrivals: of a Poisson process, the same on every run") {
    Traffic traffic;
    traffic.name = "t";
    traffic.arrivals = ArrivalKind::poisson;
    traffic.interval = 1us;
    const auto times = first(traffic, 100'000);
    const double mean = static_cast<double>((times.back() - 1us).count()) / 100'000;
    CHECK(mean == Catch::Approx(1e6).epsilon(0.015));
    double squares = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        squares += std::pow(static_cast<double>((times[i] - times[i - 1]).count()) - mean, 2);
    }
    CHECK(std::sqrt(squares / 99'999) == Catch::Approx(1e6).epsilon(0.03));
    CHECK(times == first(traffic, 100'000));
    traffic.name = "u";
    CHECK(times != first(traffic, 100'000));
}

TEST_CASE("open loop: below the limit the rate is that of the arrivals, and so is the closed loop's latency") {
    const ChildResult open =
        finish_text(open_loop(R"("count": 1000, "window": 64, "arrivals": "fixed", "interval": "5 us")"));
    CHECK(open.metric("traffic.t.message_rate") == Catch::Approx(200'000).epsilon(0.001));
    const ChildResult one = finish_text(open_loop(R"("count": 1000, "window": 1)"));
    CHECK(open.metric("traffic.t.latency.p50") == one.metric("traffic.t.latency.p50"));
}

// A message of 64 B takes the round trip of about 2 us; with a window of 1 they leave every 2 us, but arrive every 1
// us: the n-th waits for n us more than the first.
TEST_CASE("open loop: latency counts from the arrival, however long the window was full") {
    const ChildResult run = finish_text(
        open_loop(R"("count": 100, "window": 1, "arrivals": "fixed", "interval": "1 us")"), {"measure.warmup=1"});
    const ChildResult one = finish_text(open_loop(R"("count": 100, "window": 1)"), {"measure.warmup=1"});
    const std::uint64_t period = 1'000'000'000'000 / one.metric("traffic.t.message_rate");
    const std::uint64_t expected = one.metric("traffic.t.latency.max") + 99 * (period - 1'000'000);
    CHECK(run.metric("traffic.t.latency.max") == Catch::Approx(static_cast<double>(expected)).epsilon(0.02));
}

// The ledgers, in completions.csv, of three messages that a trace wants at once.
struct Rows {
    std::vector<std::map<std::string, std::int64_t>> rows;

    explicit Rows(const std::string& keys) {
        RunOptions options;
        options.folder = temporary_folder();
        std::ofstream(options.folder + "/posts.csv") << "1 us\n1 us\n1 us\n";
        finish_text(
            open_loop(R"("count": 3, "arrivals": "trace", "trace": ")" + options.folder + R"(/posts.csv", )" + keys),
            {}, options);
        std::istringstream csv(file_text(options.folder + "/completions.csv"));
        std::string line;
        std::getline(csv, line);
        const std::vector<std::string> head = cells_of(line);
        while (std::getline(csv, line)) {
            const std::vector<std::string> cells = cells_of(line);
            if (!cells.at(0).starts_with("A.")) {
                continue;
            }
            auto& row = rows.emplace_back();
            for (std::size_t i = 6; head[i].ends_with("_ps"); ++i) {
                row[head[i]] = std::stoll(cells.at(i));
            }
        }
        REQUIRE(rows.size() == 3);
    }

private:
    static std::vector<std::string> cells_of(const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream from(line);
        for (std::string cell; std::getline(from, cell, ',');) {
            cells.push_back(cell);
        }
        return cells;
    }
};

// Each takes 50 ns of building, the first 75 ns of pushing it to the NIC, and those behind it 100 ns for a doorbell.
TEST_CASE("open loop: messages that wait for the core alone are charged to the post") {
    Rows run(R"("operation": "write", "window": 64)");
    CHECK(run.rows[0]["post_ps"] == 50'000);
    CHECK(run.rows[1]["post_ps"] == 50'000 + 75'000 + 50'000);
    CHECK(run.rows[2]["post_ps"] == 50'000 + 75'000 + 50'000 + 100'000 + 50'000);
    for (auto& row : run.rows) {
        CHECK(row["slot_ps"] == 0);
        CHECK(row["begin_ps"] == run.rows[0]["begin_ps"]);
    }
}

TEST_CASE("open loop: messages that wait for the window are charged to the slot") {
    Rows run(R"("operation": "write", "window": 1)");
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(run.rows[i]["begin_ps"] == run.rows[0]["begin_ps"]);
        CHECK(run.rows[i]["post_ps"] == 50'000);
        // Until the poll has returned that told of the one before.
        CHECK(run.rows[i]["slot_ps"] == (i == 0 ? 0 : run.rows[i - 1]["end_ps"] - run.rows[0]["begin_ps"]));
    }
}

TEST_CASE("open loop: messages that wait for the peer's receives are charged to them") {
    Rows run(R"("receives": 1)");
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(run.rows[i]["begin_ps"] == run.rows[0]["begin_ps"]);
        CHECK(run.rows[i]["slot_ps"] == 0);
        CHECK((run.rows[i]["rnr_ps"] > 0) == (i > 0));
        CHECK(run.rows[i]["rnr_ps"] >= (i == 0 ? 0 : run.rows[i - 1]["rnr_ps"]));
    }
}

TEST_CASE("open loop: a trace is read from beside the scenario, or refused with its line") {
    const std::string folder = temporary_folder();
    std::ofstream(folder + "/posts.csv") << "10 us\n20 us\n20 us\n90 us\n";
    const std::string trace = R"("count": 4, "arrivals": "trace", "trace": ")" + folder + R"(/posts.csv")";
    CHECK(finish_text(open_loop(trace)).metric("traffic.t.messages") == 4);
    std::ofstream(folder + "/posts.csv") << "10 us\n20\n";
    CHECK_THAT(run_text(open_loop(trace)).why,
               Catch::Matchers::ContainsSubstring("posts.csv:2: expected a number and a unit"));
}

}  // namespace ndsim::test::arrivals_test
