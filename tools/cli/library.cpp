// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/library.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "sim/base/nearest_name.hpp"

namespace ndsim::cli {

namespace {

bool is_there(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

// share/ndsim/scenarios beside the command's folder, wherever that is installed.
std::filesystem::path library_folder() {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return self.parent_path().parent_path() / "share" / "ndsim" / "scenarios";
}

}  // namespace

std::string scenario_file(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos || is_there(name)) {
        return name;
    }
    for (const std::string& file : {name, name + ".json"}) {
        if (const std::filesystem::path found = library_folder() / file; is_there(found)) {
            return found.string();
        }
    }
    return name;
}

std::string library_hint(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return {};
    }
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(library_folder(), error)) {
        names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);  // folders have no order
    const auto meant = nearest(std::filesystem::path(name).stem().string(), names);
    return meant ? "did you mean " + *meant + ", of the library?" : std::string();
}

}  // namespace ndsim::cli
