// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "scenarios/run/run.hpp"

namespace ndsim::cli {

// ProgressBar: one line on stderr with the progress of a run, renewed five times a second. Nothing if stderr is no
// terminal, or a dumb one.
class ProgressBar {
public:
    ProgressBar(std::string title, bool wanted);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();  // removes the line

    void show(const Progress& progress);

private:
    using Clock = std::chrono::steady_clock;

    const std::string title_;
    const bool on_;
    const Clock::time_point begun_ = Clock::now();
    Clock::time_point next_ = begun_ + std::chrono::milliseconds{300};
    bool shown_ = false;
};

// The line's text, `elapsed` seconds after the start of the run.
[[nodiscard]] std::string progress_line(const std::string& title, const Progress& progress, double elapsed,
                                        std::size_t width);

}  // namespace ndsim::cli
