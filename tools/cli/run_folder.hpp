// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ndsim::cli {

// RunFolder: where the outputs of a run go. Made with its parents, found to be writable, and rid of the outputs of an
// earlier run before anything is simulated.
class RunFolder {
public:
    explicit RunFolder(std::string path);  // OutputError

    [[nodiscard]] const std::string& path() const { return path_; }
    // Writes a whole file, or leaves none: OutputError.
    void write(std::string_view name, std::string_view text) const;

private:
    std::string path_;
};

}  // namespace ndsim::cli
