// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/child_processes.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <system_error>
#include <utility>

#include "sim/files/write_all.hpp"

namespace ndsim {

namespace {

constexpr timespec kPatience{0, 200'000'000};  // longest delay before a stop is noticed

// An open file without a name that returns a child's text: it has no size limit and leaves nothing behind.
class TextFile {
public:
    TextFile() : file_(::memfd_create("point", MFD_CLOEXEC)) {
        if (file_ < 0) {
            throw std::system_error(errno, std::generic_category(), "memory for a child's result");
        }
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    TextFile(TextFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    TextFile& operator=(TextFile&&) = delete;
    ~TextFile() {
        if (file_ >= 0) {
            ::close(file_);
        }
    }

    [[nodiscard]] bool write(std::string_view text) const {
        return write_all(file_, text.data(), text.size()).error == 0;
    }
    [[nodiscard]] std::string read() const {
        std::string text(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t got = ::pread(file_, text.data() + done, text.size() - done, static_cast<off_t>(done));
            if (got <= 0) {
                throw std::system_error(errno, std::generic_category(), "a child's result");
            }
            done += static_cast<std::size_t>(got);
        }
        return text;
    }

private:
    int file_;
};

// Blocks SIGCHLD, so that the parent can wait for it.
class ChildSignal {
public:
    ChildSignal() {
        ::sigemptyset(&set_);
        ::sigaddset(&set_, SIGCHLD);
        ::sigprocmask(SIG_BLOCK, &set_, &before_);
    }
    ChildSignal(const ChildSignal&) = delete;
    ChildSignal& operator=(const ChildSignal&) = delete;
    ~ChildSignal() { unblock(); }

    void wait() const { ::sigtimedwait(&set_, nullptr, &kPatience); }
    void unblock() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t set_{};
    sigset_t before_{};
};

// Only the parent gets Ctrl-C and ends its children itself; the parent's death ends them too.
void become_child(const ChildSignal& signal, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(1);
    }
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (std::signal(number, SIG_DFL) == SIG_IGN) {
            static_cast<void>(std::signal(number, SIG_IGN));
        }
    }
    signal.unblock();
}

// Starts children and collects their results.
class Nursery {
public:
    explicit Nursery(const ChildWork& work) : work_(work) {}
    Nursery(const Nursery&) = delete;
    Nursery& operator=(const Nursery&) = delete;
    ~Nursery() {
        for (const auto& [pid, child] : children_) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
    }

    bool run() {
        while (next_ < work_.jobs || !children_.empty()) {
            while (next_ < work_.jobs && children_.size() < work_.at_once) {
                start(next_++);
            }
            work_.on_wait();
            if (work_.stop()) {
                return false;
            }
            signal_.wait();
            reap();
        }
        return true;
    }

private:
    // A child process under way.
    struct Child {
        std::size_t job = 0;
        TextFile text;
    };

    void start(std::size_t job) {
        TextFile text;
        const pid_t parent = ::getpid();
        const pid_t pid = ::fork();
        if (pid < 0) {
            throw std::system_error(errno, std::generic_category(), "a process for a point");
        }
        if (pid == 0) {
            become_child(signal_, parent);
            try {
                ::_exit(text.write(work_.run(job)) ? 0 : 1);
            } catch (const std::exception& error) {
                fmt::print(stderr, "ndsim: {}\n", error.what());
            }
            ::_exit(1);
        }
        children_.emplace(pid, Child{job, std::move(text)});
    }

    void reap() {
        int status = 0;
        for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0; pid = ::waitpid(-1, &status, WNOHANG)) {
            const auto child = children_.find(pid);
            if (child == children_.end()) {
                continue;
            }
            ChildEnd end{child->second.job, {}, {}};
            if (WIFSIGNALED(status)) {
                end.died = fmt::format("was killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
            } else if (WEXITSTATUS(status) != 0) {
                end.died = fmt::format("exited with code {}", WEXITSTATUS(status));
            } else {
                end.text = child->second.text.read();
            }
            children_.erase(child);
            work_.on_end(end);
        }
    }

    const ChildWork& work_;
    const ChildSignal signal_;
    std::size_t next_ = 0;
    std::map<pid_t, Child> children_;
};

}  // namespace

bool run_in_children(const ChildWork& work) {
    return Nursery(work).run();
}

unsigned cores() {
    cpu_set_t mine;
    return ::sched_getaffinity(0, sizeof mine, &mine) == 0 ? static_cast<unsigned>(CPU_COUNT(&mine)) : 1;
}

}  // namespace ndsim
