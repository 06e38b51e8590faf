// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndsim::format {

// JsonText: writes JSON, two spaces for each level. Keys and values come in the order of the calls.
class JsonText {
public:
    void open_object() { open('{'); }
    void open_object(std::string_view key) { open('{', key); }
    void open_array(std::string_view key) { open('[', key); }
    void close_object() { close('}'); }
    void close_array() { close(']'); }

    void text(std::string_view value) { item() += quoted(value); }
    void text(std::string_view key, std::string_view value) { item(key) += quoted(value); }
    void number(std::string_view key, std::string_view digits) { item(key) += digits; }
    void flag(std::string_view key, bool value) { item(key) += value ? "true" : "false"; }

    [[nodiscard]] const std::string& str() const { return text_; }

private:
    std::string& item() {
        if (!first_) {
            text_ += ',';
        }
        first_ = false;
        if (depth_ > 0) {
            text_ += '\n';
        }
        return text_.append(2 * depth_, ' ');
    }
    std::string& item(std::string_view key) { return item().append(quoted(key)).append(": "); }
    void open(char bracket) {
        item() += bracket;
        ++depth_;
        first_ = true;
    }
    void open(char bracket, std::string_view key) {
        item(key) += bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!first_) {
            text_.append(1, '\n').append(2 * depth_, ' ');
        }
        text_ += bracket;
        first_ = false;
    }
    // For texts of ours: no control characters.
    [[nodiscard]] static std::string quoted(std::string_view value) {
        std::string quoted = "\"";
        for (const char c : value) {
            if (c == '"' || c == '\\') {
                quoted += '\\';
            }
            quoted += c;
        }
        return quoted + '"';
    }

    std::string text_;
    std::size_t depth_ = 0;
    bool first_ = true;
};

}  // namespace ndsim::format
