// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/run/result_file.hpp"

namespace ndsim::cli {

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
