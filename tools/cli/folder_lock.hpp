// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::cli {

// FolderLock: only one command at a time writes to a folder. The lock leaves no file, and ends with its process and the
// children of it. A file system that locks no folders, such as NFS, has none.
class FolderLock {
public:
    explicit FolderLock(const std::string& folder);  // OutputError if another process has it
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock();

private:
    int descriptor_;
};

}  // namespace ndsim::cli
