// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/busy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/nic/nic_params.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kShown = 6;

std::uint64_t value_of(const Metrics& metrics, std::string_view name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? 0 : metric->value;
}

// The parameters of one thing, as the settings below `path` say.
template <class S>
S read_back(const std::vector<Setting>& settings, const std::string& path) {
    S s;
    std::map<std::string, Param> params;
    for (Param& param : params_of(s, path)) {
        params.emplace(param.path(), std::move(param));
    }
    for (const Setting& setting : settings) {
        if (const auto found = params.find(setting.path); found != params.end()) {
            (void)found->second.set(setting.value, Origin::file);  // it was valid when it was read
        }
    }
    return s;
}

class Shares {
public:
    Shares(const std::vector<Setting>& settings, const Metrics& metrics)
        : settings_(settings),
          metrics_(metrics),
          time_(static_cast<double>(value_of(metrics, "run.ended") - value_of(metrics, "run.started"))) {
        for (const Setting& setting : settings) {
            const std::string_view path = setting.path;
            if (path.starts_with("links.") && path.ends_with(".rate")) {
                add_link(setting.path.substr(0, path.size() - 5));
            } else if (path.starts_with("hosts.") && path.ends_with(".pcie.width")) {
                add_host(setting.path.substr(0, path.size() - 6));
            }
        }
        std::stable_sort(shares_.begin(), shares_.end(),
                         [](const Busy& a, const Busy& b) { return a.per_mille > b.per_mille; });
    }
    [[nodiscard]] std::vector<Busy> take() { return std::move(shares_); }

private:
    void add_link(const std::string& path) {
        constexpr std::string_view kBytes = ".bytes";
        const auto params = read_back<LinkParams>(settings_, path);
        const std::string lane = path.substr(6) + "_";
        for (const Metric& metric : metrics_.all()) {
            if (metric.name.starts_with(lane) && metric.name.ends_with(kBytes)) {
                add(metric.name.substr(0, metric.name.size() - kBytes.size()), metric.value,
                    ExactRate::per_byte(params.rate));
            }
        }
    }
    void add_host(const std::string& path) {
        const auto params = read_back<PcieParams>(settings_, path);
        const std::string link = path.substr(6);
        add(link + " up", value_of(metrics_, link + ".up_bytes"), params.tlp_rate());
        add(link + " down", value_of(metrics_, link + ".down_bytes"), params.tlp_rate());
    }
    // The picoseconds of many bytes are more than 64 bits may hold on the way.
    void add(std::string what, std::uint64_t bytes, const ExactRate& rate) {
        if (time_ > 0) {
            const double busy =
                static_cast<double>(bytes) * static_cast<double>(rate.num) / static_cast<double>(rate.den);
            shares_.push_back(
                {std::move(what), std::min<std::uint64_t>(1000, static_cast<std::uint64_t>(1000.0 * busy / time_))});
        }
    }

    const std::vector<Setting>& settings_;
    const Metrics& metrics_;
    double time_;
    std::vector<Busy> shares_;
};

}  // namespace

std::vector<Busy> busy_shares(const std::vector<Setting>& settings, const Metrics& metrics) {
    return Shares(settings, metrics).take();
}

std::string busy_text(const std::vector<Busy>& shares, const Paint& paint) {
    std::vector<std::string> words;
    for (const Busy& each : shares) {
        if (each.per_mille > 0 && words.size() < kShown) {
            words.push_back(fmt::format("{} {} %", each.what, decimal(each.per_mille, 1)));
        }
    }
    return words.empty() ? "" : fmt::format("\n{}, of the time: {}\n", paint.strong("Busy"), fmt::join(words, ", "));
}

}  // namespace ndsim::cli
