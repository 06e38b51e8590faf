// SPDX-License-Identifier: Apache-2.0
#include "tools/report/timeline_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/cli/failure.hpp"

namespace ndsim::report {

using SortedJson = nlohmann::json;

namespace {

constexpr std::string_view kLastLine = "]}";

// The file has microseconds with six decimals, which a double holds exactly.
Picoseconds time_of(const SortedJson& json) {
    return Picoseconds{std::llround(json.get<double>() * 1e6)};
}

bool begins(std::string_view line, std::string_view with) {
    return line.starts_with(with);
}
bool has(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

// Most lines are not needed here; their text shows that faster than parsing.
bool is_of_use(std::string_view line) {
    if (begins(line, R"({"ph":"X")")) {
        return has(line, R"("cat":"packet")") ||
               (has(line, R"("cat":"account")") && (has(line, R"("name":"fence")") || has(line, R"("name":"rnr")")));
    }
    return begins(line, R"({"ph":"C")") || begins(line, R"({"ph":"B")") ||
           (begins(line, R"({"ph":"M")") && has(line, R"("name":"thread_name")"));
}

// Reads the events of a timeline.
class Reader {
public:
    explicit Reader(const std::function<void(const TimelineEvent&)>& take) : take_(take) {}

    void read(const SortedJson& json) {
        const std::string kind = json.at("ph");
        if (kind == "C") {
            const Picoseconds at = time_of(json.at("ts"));
            take_({TimelineKind::value, json.at("name"), {}, {}, at, at, json.at("args")});
            return;
        }
        const std::pair track{json.at("pid").get<std::uint64_t>(), json.at("tid").get<std::uint64_t>()};
        if (kind == "M") {
            tracks_[track] = json.at("args").at("name");
        } else if (kind == "B") {
            requests_[track] = json.at("args").at("request");
        } else {
            const Picoseconds begin = time_of(json.at("ts"));
            const bool is_packet = json.at("cat") == "packet";
            take_({is_packet ? TimelineKind::packet : TimelineKind::hold, tracks_[track], json.at("name"),
                   is_packet ? std::string() : requests_[track], begin, begin + time_of(json.at("dur")),
                   json.value("args", SortedJson::object())});
        }
    }

private:
    const std::function<void(const TimelineEvent&)>& take_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> tracks_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> requests_;  // the request that a track shows
};

// Reads the next line without its end; plain files pass zlib unchanged. False at the end of the file.
bool next_line(gzFile file, std::string& line) {
    std::array<char, 4096> piece{};
    line.clear();
    while (gzgets(file, piece.data(), static_cast<int>(piece.size())) != nullptr) {
        line += piece.data();
        if (line.ends_with('\n')) {
            line.pop_back();
            return true;
        }
    }
    return !line.empty();
}

}  // namespace

void read_timeline(const std::string& path, const std::function<void(const TimelineEvent&)>& take) {
    errno = 0;
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) {
        throw cli::UsageError(path + ": " + std::generic_category().message(errno));
    }
    Reader reader(take);
    std::string line;
    bool is_whole = false;
    for (std::uint64_t number = 1; next_line(file.get(), line); ++number) {
        is_whole = line == kLastLine;
        if (!is_of_use(line)) {
            continue;
        }
        if (line.ends_with(',')) {
            line.pop_back();
        }
        try {
            reader.read(SortedJson::parse(line));
        } catch (const SortedJson::exception&) {
            throw cli::UsageError(
                fmt::format("{}:{}: expected an event of a timeline of this version; the line is damaged or cut off",
                            path, number));
        }
    }
    int error = Z_OK;
    static_cast<void>(gzerror(file.get(), &error));
    if (error != Z_OK || !is_whole) {
        throw cli::UsageError(path + ": the file is damaged or cut off");
    }
}

}  // namespace ndsim::report
