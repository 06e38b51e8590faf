// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <map>

#include "scenarios/format/load.hpp"
#include "tests/scenarios/forecast/drafts.hpp"
#include "tests/scenarios/forecast/truth.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::programs_test {

Forecast forecast_of(const std::string& text) {
    return foresee(load_scenario("draft.json", text));
}

// A slip may have made it no scenario at all.
bool is_valid(const std::string& text) {
    try {
        (void)load_scenario("draft.json", text);
        return true;
    } catch (const ConfigError&) {
        return false;
    }
}

std::string differences_of(const Draft& draft) {
    const std::string text = text_of(draft);
    return is_valid(text) ? differences(text, forecast_of(text)) : std::string();
}

std::string keep(std::uint64_t seed, const Draft& draft) {
    const std::filesystem::path folder = NDSIM_FORECAST_FOLDER;
    std::filesystem::create_directories(folder);
    const std::string path = folder / ("draft-" + std::to_string(seed) + ".json");
    std::ofstream(path) << text_of(draft);
    return path;
}

// How often each kind was certain, and how often nothing was foreseen.
struct Tally {
    std::map<ForeseenKind, int> certain;
    int valid = 0;
    int nothing = 0;
    int unmet = 0;

    void add(const Forecast& forecast) {
        ++valid;
        unmet += forecast.end == SureEnd::unmet ? 1 : 0;
        for (const Foreseen& foreseen : forecast.foreseen) {
            certain[foreseen.kind] += foreseen.certainty == Certainty::will ? 1 : 0;
        }
        nothing += forecast.foreseen.empty() && forecast.not_followed.empty() ? 1 : 0;
    }
};

// Each scenario has a seed of its own, so one can be repeated without those before it.
Tally forecasts_come_true(std::uint64_t first_seed, std::uint64_t drafts) {
    const auto generator = random_drafts();
    Tally tally;
    for (std::uint64_t seed = first_seed; seed < first_seed + drafts; ++seed) {
        const auto random = generator(rc::Random(seed));
        const std::string text = text_of(random.value());
        if (!is_valid(text)) {
            continue;
        }
        const Scenario scenario = load_scenario("draft.json", text);
        const Forecast forecast = foresee(scenario);
        tally.add(forecast);
        if (differences(text, forecast).empty()) {
            continue;
        }
        const auto [smallest, steps] =
            rc::shrinkable::findLocalMin(random, [](const Draft& draft) { return !differences_of(draft).empty(); });
        FAIL("seed " << seed << ":\n" << differences_of(smallest) << "to run it: ndsim run " << keep(seed, smallest));
    }
    return tally;
}

// What is foreseen must also be there to be tested: each kind so often that one more mistake in it would show.
TEST_CASE("forecast: in random programs what will be comes true and what is not foreseen does not fail") {
    Tally tally = forecasts_come_true(1, 120);
    CHECK(tally.valid >= 108);
    CHECK(tally.nothing >= 30);
    CHECK(tally.unmet >= 1);
    CHECK(tally.certain[ForeseenKind::refused] >= 40);
    CHECK(tally.certain[ForeseenKind::fails] >= 5);
    CHECK(tally.certain[ForeseenKind::never_begins] >= 1);
    CHECK(tally.certain[ForeseenKind::overruns] >= 3);
    CHECK(tally.certain[ForeseenKind::never_ends] >= 40);
}

// A SendAndInvalidate makes two completions of a receive in NDSPI 1 [R34], and a connection that broke before it one:
// in this draft B then waits for ever, and does not post the request that its queue would refuse.
TEST_CASE("forecast: what follows a poll for both completions is not certain if the connection may break") {
    CHECK(forecasts_come_true(100'606, 1).certain[ForeseenKind::refused] == 0);
}

// The sender's second message fails when its peer has said often enough that there is no receive. Before that the
// peer's own message comes, and takes a shared receive, which no end of a connection would complete.
TEST_CASE("forecast: a message into a shared queue may come before its connection breaks") {
    CHECK(forecasts_come_true(103'169, 1).certain[ForeseenKind::never_ends] == 0);
}

// In NDSPI 1 a queue pair has one connector, which is in use by then; in the others the accept waits for a connect.
TEST_CASE("forecast: what a second accept of a queue pair does is left open in NDSPI 1") {
    CHECK(forecasts_come_true(109'502, 1).certain[ForeseenKind::never_ends] == 0);
}

// A Bind that has been cancelled binds nothing, and the driver knows when that has been polled: here A has flushed the
// queue pair before, and the second Bind of the window is taken, and cancelled as well.
TEST_CASE("forecast: a window whose Bind has been polled with an error is bound again") {
    CHECK(forecasts_come_true(202'685, 1).certain[ForeseenKind::refused] == 0);
}

TEST_CASE("forecast: what will be comes true in many more random programs", "[long]") {
    (void)forecasts_come_true(100'000, 2'000);
}

// The queue takes two.
TEST_CASE("forecast: posts of one count that are refused are told once") {
    const Foreseen found =
        only(Pair{.a = R"({"sleep": "1 us"}, {"post": "write", "buffer": "m", "to": "B.m", "count": 9})",
                  .b = R"({"sleep": "1 us"})",
                  .host_a = R"("qps": {"q0": {"sq": {"depth": 2}}})"});
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.what.starts_with("write 3 of programs.A[1] will be refused with no_more_entries"));
}

}  // namespace ndsim::test::programs_test
