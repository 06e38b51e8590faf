// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/vcd_waves.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "tools/cli/failure.hpp"

namespace ndsim::inspect {

namespace {

// The names behind "states:" in a signal's comment, "what is on the lane; states: 0 idle, 1 ACK".
std::vector<std::string> states_in(std::string_view comment) {
    std::vector<std::string> states;
    constexpr std::string_view kMark = "; states: ";
    const std::size_t mark = comment.rfind(kMark);
    if (mark == std::string_view::npos) {
        return states;
    }
    comment.remove_prefix(mark + kMark.size());
    while (!comment.empty()) {
        const std::string_view entry = comment.substr(0, comment.find(", "));
        states.emplace_back(entry.substr(std::min(entry.find(' ') + 1, entry.size())));
        comment.remove_prefix(std::min(entry.size() + 2, comment.size()));
    }
    return states;
}

// VcdReader: reads the text of a value change dump, line by line.
class VcdReader {
public:
    VcdReader(RecordedWaves& waves, Picoseconds from) : waves_(waves), from_(from) {}

    [[nodiscard]] bool take(const std::string& line) { return in_values_ ? take_value(line) : take_declaration(line); }
    [[nodiscard]] bool is_whole() const { return in_values_; }

    // Hands over what was collected of the time before `from`.
    void end_early_part() {
        for (const auto& [signal, change] : early_) {
            waves_.changes.push_back(change);
        }
        early_.clear();
    }

private:
    bool take_declaration(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "$scope") {
            words >> word >> word;
            scopes_.push_back(word);
        } else if (word == "$upscope") {
            if (scopes_.empty()) {
                return false;
            }
            scopes_.pop_back();
        } else if (word == "$comment") {
            constexpr std::string_view kEnd = " $end";
            comment_ = line.substr(0, std::max(line.rfind(kEnd), word.size()));
        } else if (word == "$var") {
            RecordedSignal signal;
            std::string code;
            std::string name;
            if (!(words >> word >> signal.bits >> code >> name)) {
                return false;
            }
            for (const std::string& scope : scopes_) {
                signal.path += scope + ".";
            }
            signal.path += name;
            signal.states = states_in(comment_);
            codes_[code] = waves_.signals.size();
            waves_.signals.push_back(std::move(signal));
        } else if (word == "$enddefinitions") {
            in_values_ = true;
        }
        return true;
    }

    bool take_value(const std::string& line) {
        if (line.empty() || line[0] == '$') {
            return true;
        }
        if (line[0] == '#') {
            std::int64_t at = 0;
            const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), at);
            waves_.last = Picoseconds{at};
            if (waves_.last >= from_) {
                end_early_part();
            }
            return error == std::errc{} && end == line.data() + line.size();
        }
        if (line[0] == 's') {
            return take_text(line);
        }
        const bool is_vector = line[0] == 'b';
        const std::size_t digits = is_vector ? line.find(' ') : 1;
        if (digits == std::string::npos) {
            return false;
        }
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data() + (is_vector ? 1 : 0), line.data() + digits, value, 2);
        const auto signal = codes_.find(line.substr(digits + (is_vector ? 1 : 0)));
        if (error != std::errc{} || end != line.data() + digits || signal == codes_.end()) {
            return false;
        }
        add(signal->second, value);
        return true;
    }

    // The texts of a signal are numbered like the names of its states, in order of appearance.
    bool take_text(const std::string& line) {
        const std::size_t blank = line.find(' ');
        const auto code = blank == std::string::npos ? codes_.end() : codes_.find(line.substr(blank + 1));
        if (code == codes_.end()) {
            return false;
        }
        std::vector<std::string>& texts = waves_.signals[code->second].states;
        const auto [known, is_new] =
            texts_[code->second].try_emplace(line.substr(1, blank - 1), static_cast<std::uint64_t>(texts.size()));
        if (is_new) {
            texts.push_back(known->first);
        }
        add(code->second, known->second);
        return true;
    }

    void add(std::size_t signal, std::uint64_t value) {
        if (waves_.last < from_) {
            early_[signal] = {waves_.last, signal, value};
        } else {
            waves_.changes.push_back({waves_.last, signal, value});
        }
    }

    RecordedWaves& waves_;
    Picoseconds from_;
    std::map<std::size_t, RecordedChange> early_;  // the last change of each signal before `from`
    std::vector<std::string> scopes_;
    std::string comment_;
    std::unordered_map<std::string, std::size_t> codes_;
    std::unordered_map<std::size_t, std::unordered_map<std::string, std::uint64_t>> texts_;
    bool in_values_ = false;
};

}  // namespace

RecordedWaves read_waves(const std::string& folder, Picoseconds from, Picoseconds to) {
    const std::string path = folder + "/waves.vcd";
    std::ifstream file(path);
    if (!file) {
        throw cli::UsageError(folder + " has no waveform, waves.vcd: \"ndsim run FILE --waves\" records one");
    }
    RecordedWaves waves;
    VcdReader reader(waves, from);
    std::string line;
    for (std::size_t number = 1; waves.last <= to && std::getline(file, line); ++number) {
        if (!reader.take(line)) {
            throw cli::UsageError(path + ":" + std::to_string(number) + ": not a line of a waveform of ndsim");
        }
    }
    if (!reader.is_whole()) {
        throw cli::UsageError(path + ": not a waveform of ndsim");
    }
    reader.end_early_part();
    return waves;
}

}  // namespace ndsim::inspect
