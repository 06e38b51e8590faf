// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/journal.hpp"

#include <fcntl.h>
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

// A line is this, a key, kBehindKey, a result and "}".
constexpr std::string_view kBeforeKey = R"({"key":")";
constexpr std::string_view kBehindKey = R"(","result":)";
constexpr std::size_t kKeySize = 32;
constexpr std::size_t kResultAt = kBeforeKey.size() + kKeySize + kBehindKey.size();

[[noreturn]] void fail(const std::string& path, int error) {
    throw cli::OutputError(path + ": " + std::generic_category().message(error));
}

// The first line: two builds of one version may have different results.
std::string header_of_this_build() {
    std::ostringstream program;
    program << std::ifstream("/proc/self/exe", std::ios::binary).rdbuf();
    return nlohmann::ordered_json{{"ndsim", version()}, {"build", hash_of(program.view())}}.dump();
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
        read();
        if (writes) {
            begin();
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
        throw cli::OutputError(path_ + ": another sweep is running in this folder; give another folder with --out");
    }
}

void Journal::read() {
    std::ifstream in(path_, std::ios::binary);
    std::string line;
    while (std::getline(in, line) && !in.eof()) {
        if (end_ == 0) {
            header_ = line;
        } else if (line.size() > kResultAt && line.ends_with('}') && line.rfind(kBeforeKey) == 0) {  // and no torn one
            places_[line.substr(kBeforeKey.size(), kKeySize)] = {end_ + kResultAt, line.size() - kResultAt - 1};
        }
        end_ += line.size() + 1;
    }
}

void Journal::begin() {
    const std::string header = header_of_this_build();
    const bool known = header_ == header;
    if (!known) {
        places_.clear();
        end_ = 0;
    }
    if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) {
        fail(path_, errno);
    }
    if (!known) {
        append(header + "\n");
    }
}

void Journal::append(const std::string& line) {
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t written =
            ::pwrite(file_, line.data() + done, line.size() - done, static_cast<off_t>(end_ + done));
        if (written < 0) {
            const int error = errno;
            static_cast<void>(::ftruncate(file_, static_cast<off_t>(end_)));
            fail(path_, error);
        }
        done += static_cast<std::size_t>(written);
    }
    end_ += line.size();
}

void Journal::add(const std::string& key, const std::string& result) {
    const Place place{end_ + kResultAt, result.size()};
    append(std::string(kBeforeKey) + key + std::string(kBehindKey) + result + "}\n");
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
