// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/files/write_all.hpp"

namespace ndsim {

// A waveform file could not be written: which one, and why. The command ends with exit code 7.
class WaveError : public std::runtime_error {
public:
    WaveError(const std::filesystem::path& path, int error);
};

// A probe as the waveform shows it: its place ("A.nic.wqe"), its name and sentence, and the form of its values.
struct WaveSignal {
    enum class Kind : std::uint8_t { number, flag, state, occupancy, key, request };

    std::string unit;
    std::string name;
    std::string sentence;
    Kind kind = Kind::number;
    unsigned bits = 1;
    std::vector<std::string> states;  // names of the values 0, 1, 2 ... of a state
    bool still = false;               // does not change in the time that viewers show at first
    bool aside = false;               // belongs to none of the hosts that the view is about
    std::uint64_t capacity = 0;       // of a pool; 0: no limit, or no pool
    std::uint64_t largest = 0;        // value in the file
};

// VcdFile: the text of a value change dump in a file of at most `max_size` (0 B: no limit) that holds whole time steps
// only: a step that no longer fits, or that a full disk cuts, is left out entirely. Free of SystemC.
class VcdFile {
public:
    VcdFile(std::filesystem::path path, Bytes max_size);  // WaveError if the file cannot be opened

    // Writes the declarations; signals are known by index from here on. `hosts` are the names of those that post
    // requests, in the order of their identifiers.
    void header(std::span<const WaveSignal> signals, std::span<const std::string> hosts);
    // One time step: begin, its values (first step: of all signals), end. False if the step did not fit: it is taken
    // back.
    void begin_step(Picoseconds at);
    void dump(std::span<const std::uint64_t> values);
    void value(std::uint32_t signal, std::uint64_t value);
    [[nodiscard]] bool end_step();

    // Writes a last time stamp, unless the last step has it, and everything to the disk. A file that is not closed
    // lacks the rest.
    void close(Picoseconds end);

    [[nodiscard]] bool is_open() const { return file_.is_open(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] Bytes size() const { return {on_disk_ + used_}; }

private:
    enum class Form : std::uint8_t { flag, vector, request };

    // A signal's short name in the file.
    struct Code {
        char text[6];  // identifier and line end, after a blank if the value is a vector or a text
        std::uint8_t length;
        Form form;
    };

    char* put_request(char* out, std::uint64_t value) const;
    void time_stamp(Picoseconds at);
    char* put_time(char* out, std::uint64_t time);
    void append(std::string_view text);
    void drain();
    [[noreturn]] void fail(int error, std::size_t written);

    std::filesystem::path path_;
    std::uint64_t max_size_;
    OutputFile file_;
    std::vector<char> buffer_;  // room for kBuffer and the largest step behind it
    std::size_t used_ = 0;
    std::size_t step_begin_ = 0;
    std::uint64_t on_disk_ = 0;
    Picoseconds last_stamp_{-1};
    Picoseconds stamp_before_step_{-1};
    std::uint64_t leading_ = 0;  // of the last time stamp: its microseconds, and their digits
    std::array<char, 16> leading_digits_{};
    std::ptrdiff_t leading_length_ = 0;
    std::vector<Code> codes_;
    std::vector<std::string> hosts_;
};

}  // namespace ndsim
