// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndsim {

// How many bytes have reached a file, and the error that kept the others from it; 0 if there was none.
struct Written {
    std::size_t bytes = 0;
    int error = 0;
};
[[nodiscard]] Written write_all(int descriptor, const void* data, std::size_t size);

// OutputFile: a new file, which is closed with its owner.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);  // if that fails, it is not open, and errno says why
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] Written write(const void* data, std::size_t size) { return write_all(descriptor_, data, size); }
    [[nodiscard]] bool close();  // false if that fails, and errno says why
    // After a failed write: keeps `size` bytes, adds `tail` and closes. If that is impossible (a pipe, a device), the
    // error of the write says enough.
    void cut_back(std::uint64_t size, std::string_view tail = {});

private:
    int descriptor_;
};

}  // namespace ndsim
