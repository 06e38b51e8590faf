// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "sim/base/text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

namespace {

constexpr auto kPeriod = std::chrono::milliseconds{200};
constexpr std::size_t kBar = 20;

std::string rate(double per_second) {
    constexpr double kThousand = 1000;
    if (per_second >= kThousand * kThousand) {
        return fmt::format("{:.2f} M/s", per_second / kThousand / kThousand);
    }
    return per_second >= kThousand ? fmt::format("{:.0f} k/s", per_second / kThousand)
                                   : fmt::format("{:.0f} /s", per_second);
}

std::string duration(double seconds) {
    constexpr double kYear = 365 * 86400.0;
    if (seconds > kYear) {
        return "more than a year";
    }
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    const std::uint64_t days = whole / 86400;
    const std::string clock = fmt::format("{}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
    return days > 0 ? fmt::format("{} d {}", days, clock) : clock;
}

}  // namespace

std::string progress_line(const std::string& title, const Progress& progress, double elapsed, std::size_t width) {
    std::vector<std::string> parts;
    const double per_second = elapsed > 0 ? static_cast<double>(progress.done) / elapsed : 0;
    if (progress.total > 0) {
        const double part = static_cast<double>(progress.done) / static_cast<double>(progress.total);
        const auto full = static_cast<std::size_t>(part * kBar);
        const std::string left =
            per_second > 0 ? duration(static_cast<double>(progress.total - progress.done) / per_second) : "unknown";
        parts.push_back(fmt::format("[{}{}] {:.1f} %, ETA {}", std::string(full, '='),
                                    std::string(kBar - std::min(full, kBar), ' '), 100 * part, left));
        parts.push_back(fmt::format("{}/{} {}, {}", progress.done, progress.total, progress.what, rate(per_second)));
    }
    if (progress.now > Picoseconds{0} || parts.empty()) {
        parts.push_back(fmt::format("{} simulated", figure(progress.now)));
    }
    const std::string line = title + "  " + join(parts, ", ");
    return line.substr(0, width);
}

ProgressBar::ProgressBar(std::string title, bool wanted) : title_(std::move(title)), on_(wanted && can_draw(stderr)) {}

ProgressBar::~ProgressBar() {
    if (shown_) {
        fmt::print(stderr, "\r\033[K");
    }
}

void ProgressBar::show(const Progress& progress) {
    if (!on_) {
        return;
    }
    const Clock::time_point now = Clock::now();
    if (now < next_) {
        return;
    }
    next_ = now + kPeriod;
    shown_ = true;
    const std::chrono::duration<double> elapsed = now - begun_;
    fmt::print(stderr, "\r{}\033[K", progress_line(title_, progress, elapsed.count(), terminal_width(stderr) - 1));
}

}  // namespace ndsim::cli
