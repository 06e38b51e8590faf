// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "tools/cli/failure.hpp"

namespace ndsim::cli {

namespace {

bool is_set(const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

}  // namespace

void print(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw OutputError("stdout: " + std::generic_category().message(errno));
    }
}

std::string to_text(const nlohmann::ordered_json& json) {
    // File names may be anything; bytes that are not UTF-8 are replaced.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_envelope(ExitCode exit, nlohmann::ordered_json said) {
    nlohmann::ordered_json envelope{{"ok", exit == ExitCode::success}, {"exit", static_cast<int>(exit)}};
    for (auto& [name, value] : said.items()) {
        envelope[name] = std::move(value);
    }
    print(to_text(envelope));
}

std::string shell_word(std::string_view word) {
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    }
    return quoted + "'";
}

std::string in_shell(const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
    return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos ? word : shell_word(word);
}

bool is_terminal(std::FILE* stream) {
    return ::isatty(::fileno(stream)) == 1;
}

std::size_t terminal_width(std::FILE* stream) {
    constexpr std::size_t kUsual = 80;
    winsize size{};
    return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool can_draw(std::FILE* stream) {
    const char* const kind = std::getenv("TERM");
    return is_terminal(stream) && (kind == nullptr || std::string_view(kind) != "dumb");
}

Paint::Paint(std::FILE* stream) : on_(!is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || can_draw(stream))) {}

std::string Paint::in(std::string_view colour, std::string_view text) const {
    return on_ ? fmt::format("\033[{}m{}\033[0m", colour, text) : std::string(text);
}

}  // namespace ndsim::cli
