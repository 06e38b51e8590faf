// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/fresh_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/files/write_all.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::cli {

namespace {

constexpr int kPatienceMs = 200;  // longest delay before Ctrl-C is noticed
constexpr std::size_t kPiece = std::size_t{1} << 16U;
// The child has this long to remove its files after Ctrl-C.
constexpr int kChecks = 100;
constexpr std::chrono::milliseconds kCheck{20};

void close_one(int& descriptor) {
    if (descriptor >= 0) {
        ::close(std::exchange(descriptor, -1));
    }
}

// The first letter of what the child says.
constexpr char kWorked = 'W';
constexpr char kUnwritten = 'U';
constexpr char kBroken = 'B';

}  // namespace

FreshProcess::Pipe FreshProcess::make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "a pipe to a process for further runs");
    }
    return {ends[0], ends[1]};
}

FreshProcess::FreshProcess(const std::function<std::string()>& work) : asked_(make_pipe()), said_(make_pipe()) {
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    child_ = ::fork();
    if (child_ < 0) {
        throw std::system_error(errno, std::generic_category(), "a process for further runs");
    }
    if (child_ == 0) {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) {
            ::_exit(1);
        }
        serve(work);
    }
    close_one(said_.write);  // asked_.read stays open: to ask a dead child is no SIGPIPE
}

FreshProcess::~FreshProcess() {
    end();
    for (int* const descriptor : {&asked_.read, &asked_.write, &said_.read, &said_.write}) {
        close_one(*descriptor);
    }
}

void FreshProcess::serve(const std::function<std::string()>& work) const {
    ::close(asked_.write);
    char go = 0;
    if (::read(asked_.read, &go, 1) != 1) {
        ::_exit(0);  // not needed
    }
    catch_interrupts();
    std::string text;
    try {
        text = kWorked + work();
    } catch (const OutputError& error) {
        text = kUnwritten + std::string(error.what());
    } catch (const std::exception& error) {
        text = kBroken + std::string(error.what());
    }
    std::fflush(nullptr);
    ::_exit(write_all(said_.write, text.data(), text.size()).error == 0 ? 0 : 1);
}

std::optional<std::string> FreshProcess::ask() {
    const char go = 1;
    [[maybe_unused]] const ssize_t written = ::write(asked_.write, &go, 1);
    std::string text;
    if (!receive(text)) {
        end();
        return std::nullopt;
    }
    if (text.empty()) {
        throw std::runtime_error("the process of the further runs has died");
    }
    const char kind = text.front();
    text.erase(0, 1);
    if (kind == kUnwritten) {
        throw OutputError(text);
    }
    if (kind == kBroken) {
        throw std::runtime_error(text);
    }
    return text;
}

// False: Ctrl-C came before the whole text.
bool FreshProcess::receive(std::string& text) const {
    std::array<char, kPiece> piece{};
    while (true) {
        pollfd ready{said_.read, POLLIN, 0};
        const int events = ::poll(&ready, 1, kPatienceMs);
        if (interrupted()) {
            return false;
        }
        if (events <= 0) {
            continue;
        }
        const ssize_t got = ::read(said_.read, piece.data(), piece.size());
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return true;
        }
        text.append(piece.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
}

void FreshProcess::end() {
    if (child_ < 0) {
        return;
    }
    close_one(asked_.write);  // one that has nothing to do ends by itself
    ::kill(child_, SIGTERM);
    for (int check = 0; ::waitpid(child_, nullptr, WNOHANG) == 0; ++check) {
        if (check == kChecks) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
            break;
        }
        std::this_thread::sleep_for(kCheck);
    }
    child_ = -1;
}

}  // namespace ndsim::cli
