// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/error_bars.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "scenarios/run/child_processes.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/sensitivity/study.hpp"
#include "tools/sweep/journal.hpp"

namespace ndsim::sensitivity {

namespace {

// A new folder for a journal that is not needed afterwards.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(std::filesystem::temp_directory_path() / ("ndsim-" + std::to_string(random()))) {
        std::filesystem::create_directory(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    static std::uint64_t random() {  // no result depends on it
        std::random_device device;
        return std::uint64_t{device()} << 32U | device();
    }

    const std::filesystem::path path_;
};

// Figures that the run has: a percentile needs samples, a rate needs a run that ends.
std::vector<std::string> figures_of(const Scenario& scenario, Runs& runs) {
    const auto base = runs.point({});
    runs.run({base});
    const nlohmann::ordered_json there = runs.result(*base).value("metrics", nlohmann::ordered_json::object());
    std::vector<std::string> metrics;
    for (const Traffic& traffic : scenario.traffic) {
        for (const char* const figure : {".goodput", ".latency.mean", ".latency.p99"}) {
            if (const std::string metric = "traffic." + traffic.name + figure; there.contains(metric)) {
                metrics.push_back(metric);
            }
        }
    }
    return metrics;
}

cli::ErrorBars bars_of(const Study& study) {
    cli::ErrorBars found;
    for (std::size_t i = 0; i < study.metrics.size(); ++i) {
        found.bars.push_back({study.metrics[i], study.units[i], study.base[i], study.spans[i].low, study.spans[i].high,
                              study.corners[i].estimates});
    }
    return found;
}

}  // namespace

cli::ErrorBars error_bars(const cli::ScenarioArguments& scenario, bool quiet) {
    const TemporaryFolder folder;
    sweep::Journal journal(folder.path(), sweep::Journal::Access::write);
    sweep::PointRunner runner(scenario, journal, cores());
    cli::ProgressBar bar("error bars", !quiet);
    const cli::ScenarioArguments with_presets = cli::with_presets(scenario);
    Runs runs(with_presets, runner, [&bar](const Progress& progress) { bar.show(progress); });
    try {
        const Scenario loaded = cli::load(with_presets).scenario;
        const std::vector<std::string> figures = figures_of(loaded, runs);
        if (figures.empty() && !loaded.traffic.empty()) {
            return {{}, "the run has no rates and latencies", false};
        }
        return bars_of(study(figures, runs));
    } catch (const sweep::Interrupted&) {
        return {{}, "interrupted", true};
    }
}

}  // namespace ndsim::sensitivity
