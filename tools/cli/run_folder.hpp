// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/run/result_file.hpp"
#include "tools/cli/folder_lock.hpp"

namespace ndsim::cli {

// Writes a whole file, or leaves the old one: OutputError.
void write_file(const std::string& path, std::string_view text);

// RunFolder: the folder for the outputs of a run, or of a sweep. It is made with its parents, tested for writing, and
// cleared of the outputs of an earlier run of ndsim before anything is simulated. Nobody else's files are removed, and
// no other command writes to it meanwhile.
class RunFolder {
public:
    explicit RunFolder(std::string path, std::span<const std::string_view> outputs = kRunOutputs);  // OutputError

    [[nodiscard]] const std::string& path() const { return path_; }
    void write(std::string_view name, std::string_view text) const;

private:
    std::string path_;
    FolderLock lock_;
};

}  // namespace ndsim::cli
