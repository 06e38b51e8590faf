// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_marks.hpp"

#include <cstddef>

namespace ndsim {

namespace {

constexpr double kMarkLetter = 5.5;    // of GTKWave's font for marks
constexpr std::size_t kMostNames = 4;  // of marks that stand together
constexpr std::size_t kGap = 1;        // letters between two names

std::string joined(std::span<const WaveMark> marks) {
    if (marks.size() > kMostNames) {
        return marks.front().name + " ... " + marks.back().name;
    }
    std::string text;
    for (const WaveMark& mark : marks) {
        text += (text.empty() ? "" : ", ") + mark.name;
    }
    return text;
}

}  // namespace

std::vector<std::string> mark_names(std::span<const WaveMark> marks, double per_pixel) {
    std::vector<std::string> names;
    for (std::size_t first = 0; first < marks.size();) {
        std::size_t count = 1;
        while (first + count < marks.size()) {
            const WaveMark& next = marks[first + count];
            const std::size_t letters = joined(marks.subspan(first, count)).size() + next.name.size() + 2 * kGap;
            const double room = static_cast<double>((next.at - marks[first].at).count()) / per_pixel;
            if (room >= kMarkLetter * static_cast<double>(letters) / 2) {
                break;
            }
            ++count;
        }
        names.push_back(joined(marks.subspan(first, count)));
        names.resize(first + count, " ");
        first += count;
    }
    return names;
}

}  // namespace ndsim
