// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ndsim::sweep {

// Journal: the results of all finished points in a folder, by key, one per line (points.ndjson). A line is written
// whole and at once; one cut off by a crash is dropped. Results of another build of ndsim do not count, and are
// removed. One process at a time may write; a reader takes the lines already there.
class Journal {
public:
    enum class Access : std::uint8_t { read, write };

    Journal(const std::string& folder, Access access);  // cli::OutputError
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    [[nodiscard]] bool has(const std::string& key) const { return places_.contains(key); }
    // A result as it was added, a JSON object in one line.
    [[nodiscard]] std::string text_of(const std::string& key) const;
    void add(const std::string& key, const std::string& result);  // cli::OutputError

private:
    // The place of a result in the file.
    struct Place {
        std::uint64_t begin = 0;
        std::uint64_t size = 0;
    };
    void lock();
    void read();
    void begin();
    void append(const std::string& line);

    std::string path_;
    int file_ = -1;
    std::string header_;  // the first line
    std::uint64_t end_ = 0;
    std::unordered_map<std::string, Place> places_;
};

}  // namespace ndsim::sweep
