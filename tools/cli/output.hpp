// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// Writes to stdout at once; OutputError if that fails.
void print(std::string_view text);
// Prints {"ok": ..., "exit": ...} and the members of `said`.
void print_envelope(ExitCode exit, nlohmann::ordered_json said);
// The form in files and on stdout: indented, with a line end.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& json);

// A word of a command for a shell, in quotes; in_shell(): only if need be, for commands that people copy.
[[nodiscard]] std::string shell_word(std::string_view word);
[[nodiscard]] std::string in_shell(const std::string& word);

[[nodiscard]] bool is_terminal(std::FILE* stream);
// Whether the stream is a terminal on which a line can be redrawn.
[[nodiscard]] bool can_draw(std::FILE* stream);
// Columns of the stream's terminal, otherwise 80.
[[nodiscard]] std::size_t terminal_width(std::FILE* stream);

// Paint: colours for one stream, or none: on a terminal unless it is a dumb one, always if CLICOLOR_FORCE is set, never
// if NO_COLOR is.
class Paint {
public:
    explicit Paint(std::FILE* stream);

    [[nodiscard]] std::string strong(std::string_view text) const { return in("1", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return in("2", text); }
    [[nodiscard]] std::string good(std::string_view text) const { return in("32", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return in("1;31", text); }
    [[nodiscard]] bool is_on() const { return on_; }

private:
    [[nodiscard]] std::string in(std::string_view colour, std::string_view text) const;

    bool on_;
};

}  // namespace ndsim::cli
