// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ndsim::sweep {

// Journal: the results of all finished points in a folder, by key, one per line with its sum (points.ndjson). A line is
// written whole and at once; one that a crash cut off or damaged is left out, with a warning. Results of another build
// of ndsim do not count, and are removed. One process at a time may write; a reader takes the lines already there,
// those of another build only if it asks for any.
class Journal {
public:
    enum class Access : std::uint8_t { read_any_build, read, write };

    // cli::OutputError, also if the folder has a file of this name that is no journal.
    Journal(const std::string& folder, Access access);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal();

    [[nodiscard]] bool has(const std::string& key) const { return places_.contains(key); }
    // Which build of ndsim made it; empty if it has no line.
    [[nodiscard]] const std::string& build() const { return header_; }
    // A result as it was added, a JSON object in one line.
    [[nodiscard]] std::string text_of(const std::string& key) const;
    void add(const std::string& key, const std::string& result);  // cli::OutputError
    // Logs the number of lines left out, and the consequence. A journal to write does this by itself.
    void warn_of_damage(std::string_view then = "") const;

private:
    // The place of a result, or of a line, in the file.
    struct Place {
        std::uint64_t begin = 0;
        std::uint64_t size = 0;
    };
    void lock();
    void read(const std::string& header, bool any_build);
    void begin(const std::string& header);
    void repair(const std::string& header);
    void append(const std::string& line);
    void write_at(std::uint64_t begin, std::string_view text) const;

    std::string path_;
    int file_ = -1;
    std::string header_;           // the first line, without spaces at its end
    std::size_t header_room_ = 0;  // with them
    bool is_journal_ = false;
    std::uint64_t end_ = 0;
    std::vector<Place> damaged_;
    std::unordered_map<std::string, Place> places_;
};

}  // namespace ndsim::sweep
