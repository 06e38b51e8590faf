// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace ndsim::cli {

inline constexpr std::array<std::string_view, 8> kRunOutputs{"result.json",      "completions.csv", "waves.vcd",
                                                             "waves.gtkw",       "packets.pcapng",  "timeline.json",
                                                             "timeline.json.gz", "report.html"};

// Writes a whole file, or leaves the old one: OutputError.
void write_file(const std::string& path, std::string_view text);

// RunFolder: the folder for the outputs of a run, or of a sweep. It is made with its parents, tested for writing, and
// cleared of an earlier run's outputs before anything is simulated.
class RunFolder {
public:
    explicit RunFolder(std::string path, std::span<const std::string_view> outputs = kRunOutputs);  // OutputError

    [[nodiscard]] const std::string& path() const { return path_; }
    void write(std::string_view name, std::string_view text) const;

private:
    std::string path_;
};

}  // namespace ndsim::cli
