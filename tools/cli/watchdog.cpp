// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/watchdog.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "tools/cli/crash.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLooks = std::chrono::milliseconds{100};
constexpr auto kSilence = std::chrono::seconds{5};  // of a program before it is named
constexpr auto kGrace = std::chrono::seconds{2};    // after Ctrl-C, as a computing program may still make a call

}  // namespace

Watchdog::Watchdog(LookAtTurn look, std::string folder)
    : look_(std::move(look)),
      folder_(std::move(folder)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {
    catch_crashes();
}

Watchdog::~Watchdog() {
    end_crash();
}

void Watchdog::tell_of_crash(int signal) const {
    const std::optional<SoftwareTurn> turn = look_();
    fmt::print(stderr, "ndsim: {} crashed ({}); what had been written by then is in {}\n",
               turn ? "the program of " + turn->host : "the simulator", ::strsignal(signal), folder_);
    end_crash();
}

void Watchdog::watch(const std::stop_token& stop) const {
    std::mutex mutex;
    std::condition_variable_any wakes;
    std::unique_lock lock(mutex);
    std::optional<SoftwareTurn> turn;
    Clock::time_point since = Clock::now();
    std::optional<Clock::time_point> interrupted_at;
    bool named = false;
    while (!wakes.wait_for(lock, stop, kLooks, [&stop] { return stop.stop_requested(); })) {
        if (const int signal = crash_signal(); signal != 0) {
            tell_of_crash(signal);
            return;
        }
        const Clock::time_point now = Clock::now();
        if (const auto current = look_(); current != turn) {
            turn = current;
            since = now;
            named = false;
        }
        if (interrupted() && !interrupted_at) {
            interrupted_at = now;
        }
        if (!turn) {
            continue;
        }
        if (!named && now - since >= kSilence) {
            named = true;
            fmt::print(
                stderr,
                "ndsim: the program of {} has called nothing that takes time for {} s, and simulated time stands "
                "still meanwhile; Ctrl-C ends the run\n",
                turn->host, kSilence.count());
        }
        if (interrupted_at && now - std::max(since, *interrupted_at) >= kGrace) {
            fmt::print(
                stderr,
                "ndsim: interrupted, but the program of {} calls nothing, so the run ends at once; what had been "
                "written by then is in {}\n",
                turn->host, folder_);
            std::_Exit(static_cast<int>(ExitCode::interrupted));
        }
    }
}

}  // namespace ndsim::cli
