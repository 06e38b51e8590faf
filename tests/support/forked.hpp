// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ndsim::test {

// What `work` returns, as a std::string, in a process of its own: SystemC allows one simulation in the life of a
// process. Nothing if the process has died.
template <class Work>
[[nodiscard]] std::optional<std::string> in_child(Work work) {
    static constexpr std::string_view kEnd = "end";
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::runtime_error("no pipe");
    }
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        throw std::runtime_error("no process");
    }
    if (child == 0) {
        const std::string found = work() + std::string(kEnd);
        for (std::size_t at = 0; at < found.size();) {
            const ssize_t written = ::write(ends[1], found.data() + at, found.size() - at);
            at = written > 0 ? at + static_cast<std::size_t>(written) : found.size();
        }
        _exit(0);
    }
    close(ends[1]);
    std::string found;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;) {
        found.append(part.data(), static_cast<std::size_t>(got));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!found.ends_with(kEnd)) {
        return std::nullopt;
    }
    found.resize(found.size() - kEnd.size());
    return found;
}

}  // namespace ndsim::test
