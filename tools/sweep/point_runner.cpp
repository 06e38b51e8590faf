// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/point_runner.hpp"

#include <fmt/format.h>

#include <set>

#include "scenarios/run/child_processes.hpp"
#include "tools/sweep/point_result.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kDied = static_cast<int>(cli::ExitCode::internal_error);

int exit_of(const Json& result) {
    return result.at("exit").get<int>();
}

// A child tells the exit code before the result, so that the result need not be parsed.
std::string told(const Json& result) {
    return fmt::format("{}\n{}", exit_of(result), result.dump());
}

std::string died(const std::string& how) {
    return told({{"exit", kDied}, {"outcome", "failed"}, {"why", "its process " + how}});
}

// Equal points are run once.
std::vector<const Point*> unknown_points(const std::vector<Point>& points, const Journal& journal) {
    std::vector<const Point*> unknown;
    std::set<std::string> seen;
    for (const Point& point : points) {
        if (!journal.has(point.key) && seen.insert(point.key).second) {
            unknown.push_back(&point);
        }
    }
    return unknown;
}

}  // namespace

bool PointRunner::run(const std::vector<Point>& points, const std::function<void(const PointsDone&)>& on_wait,
                      const std::function<bool()>& stop) {
    const std::vector<const Point*> unknown = unknown_points(points, journal_);
    done_ = {points.size() - unknown.size(), points.size(), 0};
    for (const Point& point : points) {
        done_.failed += journal_.has(point.key) && exit_of(parse_result(text_of(point.key)).rest) != 0 ? 1 : 0;
    }
    ChildWork work;
    work.jobs = unknown.size();
    work.at_once = at_once_;
    work.run = [&](std::size_t job) {
        Json result = run_point(cli::load(scenario_.with(unknown[job]->overrides)));
        trim_(result);
        return told(result);
    };
    work.on_end = [&](const ChildEnd& end) {
        const std::string text = end.died.empty() ? end.text : died(end.died);
        const int exit = std::stoi(text);
        const std::string result = text.substr(text.find('\n') + 1);
        const std::string& key = unknown[end.job]->key;
        if (is_final(exit)) {
            journal_.add(key, result);
        } else {
            accidents_[key] = result;
        }
        ++done_.done;
        done_.failed += exit != 0 ? 1 : 0;
    };
    work.on_wait = [&] { on_wait(done_); };
    work.stop = stop;
    return run_in_children(work);
}

std::string PointRunner::text_of(const std::string& key) const {
    const auto accident = accidents_.find(key);
    return accident == accidents_.end() ? journal_.text_of(key) : accident->second;
}

}  // namespace ndsim::sweep
