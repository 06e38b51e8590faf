// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/run/depth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test {

std::string hosts_of(const std::string& preset) {
    return fmt::format(R"("A": {{"preset": "{}"}}, "B": {{"preset": "{}"}})", preset, preset);
}

std::string Load::text() const {
    std::string traffic;
    for (std::uint64_t i = 0; i < generators; ++i) {
        traffic +=
            fmt::format(R"({}"t{}": {{"from": "A.p{}", "to": "B.p{}", {}}})", i == 0 ? "" : ", ", i, i, i, members);
    }
    return fmt::format(R"({{"hosts": {{{}}}, "traffic": {{{}}}}})", hosts, traffic);
}

std::vector<std::string> for_all(const Load& load, const std::string& member, const std::string& value) {
    std::vector<std::string> overrides;
    for (std::uint64_t i = 0; i < load.generators; ++i) {
        overrides.push_back(fmt::format("traffic.t{}.{}={}", i, member, value));
    }
    return overrides;
}

Rates rates_of(const Load& load, const std::string& path, const std::string& value,
               const std::vector<std::string>& experiment) {
    std::vector<std::string> overrides = experiment;
    if (path.find('.') != std::string::npos) {
        overrides.push_back(path + "=" + value);
    } else {
        const std::vector<std::string> members = for_all(load, path, value);
        overrides.insert(overrides.end(), members.begin(), members.end());
    }
    const ChildResult run = run_text(load.text(), overrides);
    INFO(path << "=" << value << " " << load.text() << run.why);
    REQUIRE(run.ended);
    REQUIRE(run.outcome == RunOutcome::finished);
    Rates rates{.least = 1e18};
    for (std::uint64_t i = 0; i < load.generators; ++i) {
        // Each alone has its whole time to itself; several are compared over the time in which all are measured.
        const double rate = static_cast<double>(
            run.metric(fmt::format("traffic.t{}.{}", i, load.generators == 1 ? "goodput" : "shared_goodput")));
        rates.all += rate;
        rates.least = std::min(rates.least, rate);
    }
    for (const ChildResult::SeenLimit& limit : run.limits) {
        const bool is_software =
            limit.parameter.ends_with(".window") || limit.parameter.find(".cpu") != std::string::npos;
        rates.software_binds = rates.software_binds || (limit.binds && is_software);
    }
    return rates;
}

double fall(const Load& load, const std::string& path, const std::string& from, const std::string& to,
            const std::vector<std::string>& experiment) {
    return 1 - rates_of(load, path, to, experiment).all / rates_of(load, path, from, experiment).all;
}

}  // namespace ndsim::test
