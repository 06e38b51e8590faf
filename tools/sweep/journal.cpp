// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/journal.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "scenarios/result/version.hpp"
#include "tools/cli/failure.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::sweep {

namespace {

// A line is this, a key, kBehindKey, a result, kBehindResult, a sum and kEnd. Keys and sums have one size.
constexpr std::string_view kBeforeKey = R"({"key":")";
constexpr std::string_view kBehindKey = R"(","result":)";
constexpr std::string_view kBehindResult = R"(,"sum":")";
constexpr std::string_view kEnd = R"("})";
constexpr std::size_t kHashSize = 32;
constexpr std::size_t kResultAt = kBeforeKey.size() + kHashSize + kBehindKey.size();
constexpr std::size_t kBehind = kBehindResult.size() + kHashSize + kEnd.size();  // a result

[[noreturn]] void fail(const std::string& path, int error) {
    throw cli::OutputError(path + ": " + std::generic_category().message(error));
}

// The first line: two builds of one version may have different results.
const std::string& header_of_this_build() {
    static const std::string kHeader = [] {
        std::ostringstream program;
        program << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
        return nlohmann::ordered_json{{"ndsim", version()}, {"build", hash_of(program.view())}}.dump();
    }();
    return kHeader;
}

// The sum shows every damage, and lines of another build.
std::string end_of_line(const std::string& header, std::string_view key_and_result) {
    std::string line(kBehindResult);
    line += hash_of(header + std::string(key_and_result));
    return line += kEnd;
}

bool is_whole(const std::string& header, std::string_view line) {
    if (line.size() <= kResultAt + kBehind) {
        return false;
    }
    const std::string_view before = line.substr(0, line.size() - kBehind);
    return line.substr(before.size()) == end_of_line(header, before);
}

// The first line of a journal, perhaps of another build.
bool is_header(const std::string& line) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    return json.is_object() && json.contains("ndsim") && json.contains("build");
}

// Whether this may have been the first line of a journal before it was damaged; a power cut leaves zeros.
bool was_header(const std::string& line) {
    return line.starts_with(R"({"ndsim")") || line.starts_with('\0');
}

bool is_blank(const std::string& line) {
    return line.find_first_not_of(' ') == std::string::npos;
}

}  // namespace

Journal::Journal(const std::string& folder, Access access) : path_(folder + "/points.ndjson") {
    const bool writes = access == Access::write;
    file_ = ::open(path_.c_str(), (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
    if (file_ < 0) {
        fail(path_, errno);
    }
    try {
        if (writes) {
            lock();
        }
        const std::string& header = header_of_this_build();
        read(header, access == Access::read_any_build);
        if (writes) {
            begin(header);
            warn_of_damage("; what is missing runs again");
        }
    } catch (...) {
        ::close(file_);
        throw;
    }
}

Journal::~Journal() {
    ::close(file_);
}

void Journal::lock() {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        throw cli::OutputError(path_ +
                               ": another command of ndsim is writing to this folder; give another folder with --out");
    }
}

void Journal::read(const std::string& header, bool any_build) {
    std::ifstream in(path_, std::ios::binary);
    std::string line;
    for (bool first = true; std::getline(in, line); first = false) {
        const bool torn = in.eof();
        if (first) {
            header_ = line;
            header_.erase(header_.find_last_not_of(' ') + 1);
            header_room_ = torn ? 0 : line.size();
        } else if (!torn && (is_whole(header, line) || (any_build && is_whole(header_, line)))) {
            places_[line.substr(kBeforeKey.size(), kHashSize)] = {end_ + kResultAt, line.size() - kResultAt - kBehind};
        } else if (torn || !is_blank(line)) {
            damaged_.push_back({end_, line.size()});
            is_journal_ = is_journal_ || line.starts_with(kBeforeKey);
        }
        end_ += torn ? 0 : line.size() + 1;
    }
    const bool empty = end_ == 0 && header_.empty();
    is_journal_ = is_journal_ || !places_.empty() || empty || is_header(header_) || was_header(header_);
}

void Journal::begin(const std::string& header) {
    if (!is_journal_) {
        throw cli::OutputError(path_ + ": is not a journal of ndsim; give another folder with --out");
    }
    const bool known = header_ == header && header_room_ > 0;
    const bool damaged = !known && (!places_.empty() || (!header_.empty() && !is_header(header_)));
    if (known || (damaged && !places_.empty() && header_room_ >= header.size())) {
        repair(header);
    } else {
        places_.clear();
        end_ = 0;
    }
    if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) {
        fail(path_, errno);
    }
    if (end_ == 0) {
        append(header + "\n");
        header_room_ = header.size();
        damaged_.resize(damaged ? damaged_.size() : 0);
    }
    if (damaged) {
        damaged_.push_back({0, header.size()});
    }
    header_ = header;
}

// Puts spaces in the place of damaged lines: each is told once, and the other lines stay where they are.
void Journal::repair(const std::string& header) {
    if (header_ != header) {
        write_at(0, header + std::string(header_room_ - header.size(), ' '));
    }
    for (const Place& place : damaged_) {
        if (place.begin < end_) {
            write_at(place.begin, std::string(place.size, ' '));
        }
    }
}

void Journal::warn_of_damage(std::string_view then) const {
    if (!damaged_.empty()) {
        spdlog::warn("{}: {} damaged {} left out{}", path_, damaged_.size(),
                     damaged_.size() == 1 ? "line is" : "lines are", then);
    }
}

void Journal::write_at(std::uint64_t begin, std::string_view text) const {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written =
            ::pwrite(file_, text.data() + done, text.size() - done, static_cast<off_t>(begin + done));
        if (written < 0) {
            fail(path_, errno);
        }
        done += static_cast<std::size_t>(written);
    }
}

void Journal::append(const std::string& line) {
    try {
        write_at(end_, line);
    } catch (const cli::OutputError&) {
        if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) {
            // The half of a line that stays has no sum, and is left out when the journal is read.
        }
        throw;
    }
    end_ += line.size();
}

void Journal::add(const std::string& key, const std::string& result) {
    const Place place{end_ + kResultAt, result.size()};
    std::string line = std::string(kBeforeKey) + key + std::string(kBehindKey) + result;
    line += end_of_line(header_, line);
    append(line + "\n");
    places_[key] = place;
}

std::string Journal::text_of(const std::string& key) const {
    const Place& place = places_.at(key);
    std::string text(place.size, '\0');
    if (::pread(file_, text.data(), text.size(), static_cast<off_t>(place.begin)) !=
        static_cast<ssize_t>(text.size())) {
        fail(path_, errno);
    }
    return text;
}

}  // namespace ndsim::sweep
