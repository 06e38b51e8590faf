// SPDX-License-Identifier: Apache-2.0
#include "sim/config/problems.hpp"

#include <algorithm>
#include <tuple>

namespace ndsim {

std::string to_text(Position at) {
    return std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string Problem::text() const {
    std::string text = file;
    if (line != 0) {
        text += ":" + to_text(Position{line, column});
    }
    for (const std::string* const part : {&path, &message}) {
        if (!part->empty()) {
            text += (text.empty() ? "" : ": ") + *part;
        }
    }
    return hint.empty() ? text : text + " (" + hint + ")";
}

void Problems::add(Position at, std::string path, std::string message, std::string hint) {
    list_.push_back({file_, at.line, at.column, std::move(path), std::move(message), std::move(hint), at.set});
}

std::vector<Problem> Problems::sorted() const {
    std::vector<Problem> sorted = list_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.file, a.line, a.column, a.set) < std::tie(b.file, b.line, b.column, b.set);
    });
    return sorted;
}

std::string Problems::text() const {
    std::string text;
    for (const Problem& problem : sorted()) {
        text += (text.empty() ? "" : "\n") + problem.text();
    }
    return text;
}

void Problems::throw_if_any() const {
    if (!empty()) {
        throw ConfigError(*this);
    }
}

}  // namespace ndsim
