// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ndsim {

// A place in a text file, counted from 1; columns are characters, not bytes. An override has no place in a file, but
// its own number. All zero: no particular place.
struct Position {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t set = 0;  // of the --set, from 1
    friend constexpr auto operator<=>(const Position&, const Position&) = default;
};

[[nodiscard]] std::string to_text(Position at);  // line:column

// One error in the user's input.
struct Problem {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string path;  // of the JSON value: hosts.A.nic.sq.depth
    std::string message;
    std::string hint;
    std::uint32_t set = 0;  // see Position

    [[nodiscard]] std::string text() const;  // file:line:column: path: message (hint), without unknown parts
};

// Problems: all errors, collected before the command gives up.
class Problems {
public:
    explicit Problems(std::string file) : file_(std::move(file)) {}

    // Problems added from now on are about this file.
    void in_file(std::string file) { file_ = std::move(file); }
    void add(Position at, std::string path, std::string message, std::string hint = {});
    void add(Problem problem) { list_.push_back(std::move(problem)); }

    [[nodiscard]] bool empty() const { return list_.empty(); }
    // Sorted by file, line and column; those of the same place in the order of adding.
    [[nodiscard]] std::vector<Problem> sorted() const;
    [[nodiscard]] std::string text() const;  // one line each
    void throw_if_any() const;               // ConfigError

private:
    std::string file_;
    std::vector<Problem> list_;
};

// The user's input cannot be run. The command ends with exit code 3.
class ConfigError : public std::runtime_error {
public:
    explicit ConfigError(const Problems& problems)
        : std::runtime_error(problems.text()), problems_(problems.sorted()) {}
    [[nodiscard]] std::span<const Problem> problems() const { return problems_; }

private:
    std::vector<Problem> problems_;
};

}  // namespace ndsim
