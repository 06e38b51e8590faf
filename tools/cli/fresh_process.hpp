// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace ndsim::cli {

// FreshProcess: a child process that waits for its work while its parent simulates. Thereafter the parent can start no
// child that simulates. Ctrl-C reaches the parent alone, which ends the child.
class FreshProcess {
public:
    // Starts the process; `work` returns a text.
    explicit FreshProcess(const std::function<std::string()>& work);
    FreshProcess(const FreshProcess&) = delete;
    FreshProcess& operator=(const FreshProcess&) = delete;
    ~FreshProcess();

    // Has it work, once: the text; none: interrupted. OutputError or std::runtime_error if it failed, with the reason.
    [[nodiscard]] std::optional<std::string> ask();

private:
    // Both ends of a pipe.
    struct Pipe {
        int read = -1;
        int write = -1;
    };
    static Pipe make_pipe();
    [[noreturn]] void serve(const std::function<std::string()>& work) const;
    [[nodiscard]] bool receive(std::string& text) const;
    void end();

    Pipe asked_;
    Pipe said_;
    pid_t child_ = -1;
};

}  // namespace ndsim::cli
