// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/point_runner.hpp"

#include <set>

#include "scenarios/run/children.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kDied = static_cast<int>(cli::ExitCode::internal_error);

bool has_failed(const Json& result) {
    return result.at("exit").get<int>() != 0;
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
        done_.failed += journal_.has(point.key) && has_failed(journal_.result_of(point.key)) ? 1 : 0;
    }
    ChildWork work;
    work.jobs = unknown.size();
    work.at_once = at_once_;
    work.run = [&](std::size_t job) {
        Json result = run_point(cli::load(scenario_.with(unknown[job]->overrides)));
        trim_(result);
        return result.dump();
    };
    work.on_end = [&](const ChildEnd& end) {
        const Json result = end.died.empty()
                                ? Json::parse(end.text)
                                : Json{{"exit", kDied}, {"outcome", "failed"}, {"why", "its process " + end.died}};
        const std::string& key = unknown[end.job]->key;
        if (is_final(result)) {
            journal_.add(key, result);
        } else {
            accidents_[key] = result;
        }
        ++done_.done;
        done_.failed += has_failed(result) ? 1 : 0;
    };
    work.on_wait = [&] { on_wait(done_); };
    work.stop = stop;
    return run_in_children(work);
}

Json PointRunner::result_of(const std::string& key) const {
    const auto accident = accidents_.find(key);
    return accident == accidents_.end() ? journal_.result_of(key) : accident->second;
}

}  // namespace ndsim::sweep
