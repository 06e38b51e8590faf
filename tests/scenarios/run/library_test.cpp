// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <set>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::library_test {

std::vector<std::string> library() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(NDSIM_SOURCE_DIR "/scenarios/library")) {
        files.push_back("scenarios/library/" + entry.path().filename().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream from(line);
    for (std::string cell; std::getline(from, cell, ',');) {
        cells.push_back(cell);
    }
    return cells;
}

// How long the stays take that a row's path names, together: one without a time is the only one in its account.
std::int64_t length_of_path(const std::vector<std::string>& head, const std::vector<std::string>& row) {
    std::int64_t sum = 0;
    std::istringstream path(row.back());
    for (std::string stay; path >> stay;) {
        const std::size_t colon = stay.find(':');
        const auto column = std::find(head.begin(), head.end(), stay.substr(0, colon) + "_ps") - head.begin();
        sum +=
            std::stoll(colon == std::string::npos ? row.at(static_cast<std::size_t>(column)) : stay.substr(colon + 1));
    }
    return sum;
}

// The engines of a host and of its NIC, without cores and test devices.
const std::vector<std::string> kEngines{
    "nic.control", "nic.cq",  "nic.dma.reads", "nic.dma.writes", "nic.doorbell", "nic.responder",     "nic.rq",
    "nic.tx",      "nic.wqe", "pcie.down",     "pcie.up",        "cpu",          "nic.read_responder"};

void check_engines(const ChildResult& run) {
    std::set<std::string> names;
    for (const ChildResult::SeenEngine& engine : run.engines) {
        INFO(engine.name);
        CHECK(names.insert(engine.name).second);
        std::uint64_t blocked = 0;
        for (const auto& [what, time] : engine.blocked) {
            CHECK(run.metric(engine.name + "." + what) == time);
            blocked += time;
        }
        CHECK(engine.idle + engine.busy + blocked == run.metric("run.measured"));
        CHECK(run.metric(engine.name + ".idle") == engine.idle);
        CHECK(run.metric(engine.name + ".busy") == engine.busy);
        CHECK(run.metric(engine.name + ".blocked") == blocked);
    }
    const auto first = std::ranges::find_if(names, [](const auto& name) { return name.ends_with(".nic.wqe"); });
    REQUIRE(first != names.end());
    const std::string host = first->substr(0, first->find('.'));
    for (const std::string& name : kEngines) {
        INFO(name);
        CHECK(names.contains(host + "." + name));
    }
}

// The engine compares, for every pool, the integral of the occupancy with the summed residence times, and ends the run
// with an invariant error if they differ by a picosecond.
TEST_CASE("every library scenario runs to its end, meets its expectations and holds Little's law in every pool") {
    REQUIRE(library().size() >= 6);
    for (const std::string& file : library()) {
        INFO(file);
        const ChildResult run = run_file(file);
        INFO(run.why);
        CHECK(run.ended);
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.unmet.empty());
    }
}

TEST_CASE("in every library scenario each engine is idle, busy or blocked by one thing at every moment") {
    for (const std::string& file : library()) {
        INFO(file);
        check_engines(run_file(file));
    }
}

TEST_CASE("in every library scenario the accounts of each request add up to its total") {
    for (const std::string& file : library()) {
        INFO(file);
        if (file.starts_with("scenarios/library/dma-")) {
            continue;  // test devices make no requests
        }
        RunOptions options;
        options.folder = temporary_folder();
        REQUIRE(run_file(file, {}, options).ended);
        std::istringstream csv(file_text(options.folder + "/completions.csv"));
        std::string line;
        REQUIRE(std::getline(csv, line));
        const std::vector<std::string> head = split(line);
        REQUIRE(head[8] == "total_ps");
        std::size_t rows = 0;
        while (std::getline(csv, line)) {
            const std::vector<std::string> cells = split(line);
            REQUIRE(cells.size() == head.size());
            std::int64_t sum = 0;
            for (std::size_t i = 9; head[i].ends_with("_ps"); ++i) {
                sum += std::stoll(cells[i]);
            }
            REQUIRE(sum == std::stoll(cells[8]));
            REQUIRE(sum == std::stoll(cells[7]) - std::stoll(cells[6]));
            REQUIRE(length_of_path(head, cells) == sum);
            ++rows;
        }
        CHECK(rows > 0);
    }
}

TEST_CASE("two runs of a scenario give the same bytes in every output") {
    RunOptions first;
    RunOptions second;
    first.folder = temporary_folder();
    second.folder = temporary_folder();
    const ChildResult a = run_file("scenarios/library/quickstart.json", {}, first);
    const ChildResult b = run_file("scenarios/library/quickstart.json", {}, second);
    REQUIRE(a.ended);
    CHECK(a.metrics == b.metrics);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(first.folder)) {
        if (entry.is_regular_file()) {
            const std::string name = std::filesystem::relative(entry.path(), first.folder);
            INFO(name);
            CHECK(file_text(entry.path()) == file_text(second.folder + "/" + name));
            ++files;
        }
    }
    CHECK(files >= 3);  // completions.csv, waves.vcd, waves.gtkw
}

}  // namespace ndsim::test::library_test
