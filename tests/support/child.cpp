// SPDX-License-Identifier: Apache-2.0
#include "tests/support/child.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/format/load.hpp"
#include "scenarios/format/text_file.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test {

namespace {

void send_line(std::FILE* to, const std::string& line) {
    std::fprintf(to, "%s\n", line.c_str());
}

// The child's part: one line for each thing, a tag in front.
void report(std::FILE* to, const RunResult& result) {
    send_line(to, "outcome " + std::to_string(static_cast<int>(result.outcome)));
    send_line(to, "why " + result.why);
    for (const Metric& metric : result.metrics.all()) {
        send_line(to, "metric " + metric.name + " " + std::to_string(metric.value));
    }
    for (const Limit& limit : result.limits) {
        const std::size_t kind = static_cast<std::size_t>(limit.kind);
        const std::size_t basis = static_cast<std::size_t>(limit.parameter.basis);
        std::string line = "limit";
        for (const std::string& part :
             {std::string(kLimitKindNames.at(kind)), limit.what, std::to_string(limit.share_ppm),
              std::to_string(limit.binds ? 1 : 0), limit.parameter.path, std::string(kLimitBasisNames.at(basis)),
              limit.parameter.value}) {
            line += " " + part + "|";
        }
        send_line(to, line);
    }
    for (const EngineUse& use : result.engines) {
        std::string line = fmt::format("engine {} {} {}", use.engine, use.idle.count(), use.busy.count());
        for (const auto& [what, time] : use.blocked) {
            line += fmt::format(" {} {}", what, time.count());
        }
        send_line(to, line);
    }
    for (const Verdict& verdict : result.verdicts) {
        if (!verdict.met) {
            send_line(to, "unmet " + verdict.what + ": " + verdict.found);
        }
    }
    for (const DeadConnection& dead : result.dead_connections) {
        send_line(to, fmt::format("dead {}| {}| {}|", dead.ends, dead.why, dead.expected ? 1 : 0));
    }
    send_line(to, "end");
}

// "A.nic.wqe 7 5 tags 0 tx_fifo 3"
ChildResult::SeenEngine engine_of(const std::string& line) {
    ChildResult::SeenEngine engine;
    std::istringstream from(line);
    from >> engine.name >> engine.idle >> engine.busy;
    std::uint64_t time = 0;
    for (std::string what; from >> what >> time;) {
        engine.blocked[what] = time;
    }
    return engine;
}

// "a| b| c|"
std::vector<std::string> parts_of(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream from(line);
    for (std::string part; std::getline(from >> std::ws, part, '|');) {
        parts.push_back(part);
    }
    return parts;
}

ChildResult read_report(std::istream& from) {
    ChildResult result;
    for (std::string line; std::getline(from, line);) {
        const std::string tag = line.substr(0, line.find(' '));
        const std::string rest = line.size() > tag.size() ? line.substr(tag.size() + 1) : "";
        if (tag == "outcome") {
            result.outcome = static_cast<RunOutcome>(std::stoi(rest));
        } else if (tag == "why") {
            result.why = rest;
        } else if (tag == "metric") {
            result.metrics[rest.substr(0, rest.find(' '))] = std::stoull(rest.substr(rest.find(' ') + 1));
        } else if (tag == "limit") {
            const std::vector<std::string> of = parts_of(rest);
            result.limits.push_back(
                {of.at(0), of.at(1), std::stoull(of.at(2)), of.at(3) == "1", of.at(4), of.at(5), of.at(6)});
        } else if (tag == "engine") {
            result.engines.push_back(engine_of(rest));
        } else if (tag == "unmet") {
            result.unmet += rest + "\n";
        } else if (tag == "dead") {
            const std::vector<std::string> of = parts_of(rest);
            result.dead_connections.push_back({of.at(0), of.at(1), of.at(2) == "1"});
        } else if (tag == "end") {
            result.ended = true;
        }
    }
    return result;
}

// What a child has written, or "why ..." if it broke off.
template <class Write>
std::ifstream written_by_child(const Write& write) {
    const std::string path = temporary_folder() + "/report";
    std::fflush(nullptr);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::FILE* const to = std::fopen(path.c_str(), "w");
        try {
            write(to);
        } catch (const std::exception& error) {
            send_line(to, std::string("why ") + error.what());
        }
        std::fclose(to);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return std::ifstream(path);
}

}  // namespace

std::uint64_t ChildResult::metric(const std::string& name) const {
    INFO(name);
    REQUIRE(metrics.contains(name));
    return metrics.at(name);
}

ChildResult run_text(const std::string& text, const std::vector<std::string>& overrides, const RunOptions& options) {
    std::ifstream from = written_by_child([&](std::FILE* to) {
        const Scenario scenario = load_scenario("test.json", text, overrides);
        report(to, run_scenario(scenario, options));
    });
    return read_report(from);
}

std::vector<std::string> known_metrics(const std::string& text) {
    std::ifstream from = written_by_child([&](std::FILE* to) {
        const Metrics known = metrics_of_any_run(load_scenario("test.json", text));
        for (const Metric& metric : known.all()) {
            send_line(to, metric.name);
        }
    });
    std::vector<std::string> names;
    for (std::string name; std::getline(from, name);) {
        names.push_back(name);
    }
    return names;
}

ChildResult run_file(const std::string& path, const std::vector<std::string>& overrides, const RunOptions& options) {
    return run_text(read_file(NDSIM_SOURCE_DIR "/" + path), overrides, options);
}

ChildResult finish_text(const std::string& text, const std::vector<std::string>& overrides, const RunOptions& options) {
    ChildResult run = run_text(text, overrides, options);
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
    return run;
}

ChildResult run_traffic(const std::string& members, const std::vector<std::string>& overrides) {
    return finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", )" + members + "}}}",
                       overrides);
}

ChildResult run_dma(const std::string& members, const std::vector<std::string>& overrides) {
    return finish_text(R"({"hosts": {"A": {}}, "dma": {"t": {"host": "A", )" + members + "}}}", overrides);
}

std::string temporary_folder() {
    struct Folder {
        std::string path;
        Folder() {
            std::string name = std::filesystem::temp_directory_path() / "ndsim-test-XXXXXX";
            path = mkdtemp(name.data());
        }
        ~Folder() { std::filesystem::remove_all(path); }
    };
    static std::vector<std::unique_ptr<Folder>> folders;
    folders.push_back(std::make_unique<Folder>());
    return folders.back()->path;
}

std::string file_text(const std::string& path) {
    std::ifstream from(path, std::ios::binary);
    REQUIRE(from);
    std::ostringstream text;
    text << from.rdbuf();
    return text.str();
}

}  // namespace ndsim::test
