// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "tools/cli/failure.hpp"

namespace ndsim::cli {

namespace {

// Children of a process that was killed hold its lock until they have died, too.
constexpr int kTries = 10;
constexpr std::chrono::milliseconds kPause{50};

bool is_free(int descriptor) {
    for (int tries = 1; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (errno != EWOULDBLOCK) {
            return true;
        }
        if (tries == kTries) {
            return false;
        }
        std::this_thread::sleep_for(kPause);
    }
    return true;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0 && !is_free(descriptor_)) {
        ::close(descriptor_);
        throw OutputError(folder +
                          ": another command of ndsim is writing to this folder; give another folder with --out");
    }
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

}  // namespace ndsim::cli
