// SPDX-License-Identifier: Apache-2.0
#include "sim/files/vcd_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace ndsim {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20U;
constexpr std::size_t kStampSize = 1 + 19 + 1;      // '#', an int64 and the line end
constexpr std::size_t kValueSize = 1 + 64 + 7;      // 'b', 64 digits, the code; or 's', '.', 10 digits, the code
constexpr std::size_t kDumpWords = 2 * kStampSize;  // $dumpvars and $end

// Every byte as eight binary digits; behind the last one eight more characters may be read.
constexpr auto kDigits = [] {
    std::array<char, 8 * (256 + 1)> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            table[8 * byte + bit] = ((byte >> (7 - bit)) & 1U) != 0 ? '1' : '0';
        }
    }
    return table;
}();

// The numbers from 00 to 99, two digits each.
constexpr auto kPairs = [] {
    std::array<char, 2 * 100> table{};
    for (unsigned number = 0; number < 100; ++number) {
        table[2 * number] = static_cast<char>('0' + number / 10);
        table[2 * number + 1] = static_cast<char>('0' + number % 10);
    }
    return table;
}();

// VCD's short names for signals: numbers to base 94 in printable characters, the lowest digit first.
std::string identifier(std::size_t number) {
    std::string code;
    for (std::size_t left = number + 1; left > 0; left = (left - 1) / 94) {
        code += static_cast<char>('!' + (left - 1) % 94);
    }
    return code;
}

// The hierarchy of the design, in the order in which its units were first named.
struct Scope {
    std::string name;
    std::vector<std::size_t> signals;
    std::vector<Scope> children;

    Scope& child(std::string_view wanted) {
        const auto found = std::ranges::find(children, wanted, &Scope::name);
        return found != children.end() ? *found : children.emplace_back(Scope{std::string(wanted), {}, {}});
    }
};

Scope scopes_of(std::span<const WaveSignal> signals) {
    Scope root;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        Scope* scope = &root;
        std::string_view path = signals[i].unit;
        while (!path.empty()) {
            const std::size_t dot = std::min(path.find('.'), path.size());
            scope = &scope->child(path.substr(0, dot));
            path.remove_prefix(std::min(dot + 1, path.size()));
        }
        scope->signals.push_back(i);
    }
    return root;
}

// "; states: 0 idle, 1 busy", "; capacity: 64": programs that read the file find the names and the limit there.
std::string facts_of(const WaveSignal& signal) {
    std::string text = signal.capacity == 0 ? "" : "; capacity: " + std::to_string(signal.capacity);
    for (std::size_t value = 0; value < signal.states.size(); ++value) {
        text += (value == 0 ? "; states: " : ", ") + std::to_string(value) + " " + signal.states[value];
    }
    return text;
}

void declare(const Scope& scope, std::span<const WaveSignal> signals, std::string& text) {
    for (const std::size_t i : scope.signals) {
        const WaveSignal& signal = signals[i];
        const bool is_text = signal.kind == WaveSignal::Kind::request;
        const std::string type = is_text ? "string 1" : "wire " + std::to_string(signal.bits);
        text += "$comment " + signal.name + ": " + signal.sentence + facts_of(signal) + " $end\n";
        text += "$var " + type + " " + identifier(i) + " " + signal.name;
        text += is_text || signal.bits == 1 ? "" : " [" + std::to_string(signal.bits - 1) + ":0]";
        text += " $end\n";
    }
    for (const Scope& child : scope.children) {
        text += "$scope module " + child.name + " $end\n";
        declare(child, signals, text);
        text += "$upscope $end\n";
    }
}

}  // namespace

WaveError::WaveError(const std::filesystem::path& path, int error)
    : std::runtime_error(path.string() + ": " + std::strerror(error)) {}

VcdFile::VcdFile(std::filesystem::path path, Bytes max_size)
    : path_(std::move(path)),
      max_size_(max_size.count == 0 ? UINT64_MAX : max_size.count),
      file_(path_),
      buffer_(kBuffer + kStampSize) {
    if (!is_open()) {
        throw WaveError(path_, errno);
    }
}

void VcdFile::header(std::span<const WaveSignal> signals, std::span<const std::string> hosts) {
    hosts_.assign(hosts.begin(), hosts.end());
    const std::string longest = hosts_.empty() ? "" : std::ranges::max(hosts_, {}, &std::string::size);
    std::string text = "$date ndsim $end\n$version ndsim $end\n$timescale 1ps $end\n";
    declare(scopes_of(signals), signals, text);
    text += "$enddefinitions $end\n";

    codes_.clear();
    for (std::size_t i = 0; i < signals.size(); ++i) {
        Code code{};
        code.form = signals[i].kind == WaveSignal::Kind::request ? Form::request
                    : signals[i].bits == 1                       ? Form::flag
                                                                 : Form::vector;
        const std::string line_end = (code.form == Form::flag ? "" : " ") + identifier(i) + "\n";
        code.length = static_cast<std::uint8_t>(line_end.copy(code.text, sizeof code.text));
        codes_.push_back(code);
    }
    buffer_.resize(kBuffer + text.size() + kDumpWords + kStampSize + signals.size() * (kValueSize + longest.size()));
    append(text);
}

void VcdFile::begin_step(Picoseconds at) {
    if (used_ >= kBuffer) {
        drain();
    }
    step_begin_ = used_;
    stamp_before_step_ = last_stamp_;
    time_stamp(at);
}

void VcdFile::dump(std::span<const std::uint64_t> values) {
    append("$dumpvars\n");
    for (std::uint32_t signal = 0; signal < values.size(); ++signal) {
        value(signal, values[signal]);
    }
    append("$end\n");
}

void VcdFile::value(std::uint32_t signal, std::uint64_t value) {
    const Code& code = codes_[signal];
    char* out = buffer_.data() + used_;
    if (code.form == Form::flag) {
        *out++ = static_cast<char>('0' + (value & 1U));
    } else if (code.form == Form::request) {
        out = put_request(out, value);
    } else {
        *out++ = 'b';
        const auto digits = static_cast<unsigned>(std::bit_width(value | 1U));
        unsigned shift = (digits - 1) & ~7U;
        const unsigned leading = digits - shift;
        std::memcpy(out, &kDigits[8 * (value >> shift) + 8 - leading], 8);  // as below: a fixed length is one move
        out += leading;
        while (shift > 0) {
            shift -= 8;
            std::memcpy(out, &kDigits[8 * ((value >> shift) & 0xFFU)], 8);
            out += 8;
        }
    }
    std::memcpy(out, code.text, sizeof code.text);  // a fixed length is one move; the excess is overwritten
    used_ = static_cast<std::size_t>(out - buffer_.data()) + code.length;
}

char* VcdFile::put_request(char* out, std::uint64_t value) const {
    *out++ = 's';
    if (value == 0) {
        *out++ = '-';
        return out;
    }
    const std::string& host = hosts_.at(value >> 32U);
    out += host.copy(out, host.size());
    *out++ = '.';
    return std::to_chars(out, out + kValueSize, static_cast<std::uint32_t>(value)).ptr;
}

bool VcdFile::end_step() {
    // The last time stamp must still fit.
    if (size().count + kStampSize <= max_size_) {
        return true;
    }
    used_ = step_begin_;
    last_stamp_ = stamp_before_step_;
    return false;
}

void VcdFile::close(Picoseconds end) {
    if (!is_open()) {
        return;
    }
    if (end > last_stamp_) {
        time_stamp(end);
    }
    drain();
    if (!file_.close()) {
        throw WaveError(path_, errno);
    }
}

void VcdFile::time_stamp(Picoseconds at) {
    char* out = buffer_.data() + used_;
    *out++ = '#';
    out = put_time(out, static_cast<std::uint64_t>(at.count()));
    *out++ = '\n';
    used_ = static_cast<std::size_t>(out - buffer_.data());
    last_stamp_ = at;
}

// Stamps follow closely on each other: all digits but the last six are mostly those of the last one.
char* VcdFile::put_time(char* out, std::uint64_t time) {
    constexpr std::uint64_t kLast = 1'000'000;
    if (time < kLast) {
        return std::to_chars(out, out + kStampSize, time).ptr;
    }
    if (time / kLast != leading_) {
        leading_ = time / kLast;
        char* const begin = leading_digits_.data();
        leading_length_ = std::to_chars(begin, begin + leading_digits_.size(), leading_).ptr - begin;
    }
    std::memcpy(out, leading_digits_.data(), leading_digits_.size());  // a fixed length is one move
    out += leading_length_;
    const auto last = static_cast<std::uint32_t>(time % kLast);
    for (const std::uint32_t pair : {last / 10'000, last / 100 % 100, last % 100}) {
        std::memcpy(out, &kPairs[2 * std::size_t{pair}], 2);
        out += 2;
    }
    return out;
}

void VcdFile::append(std::string_view text) {
    text.copy(buffer_.data() + used_, text.size());
    used_ += text.size();
}

void VcdFile::drain() {
    if (const Written written = file_.write(buffer_.data(), used_); written.error != 0) {
        fail(written.error, written.bytes);
    }
    on_disk_ += used_;
    used_ = 0;
}

void VcdFile::fail(int error, std::size_t written) {
    // Half a time step would show a state that never was: cut the file back to the last whole one.
    const std::string_view done(buffer_.data(), written);
    const std::size_t last_step = done.rfind("\n#");
    const std::size_t kept = last_step == std::string_view::npos ? 0 : last_step + 1;
    used_ = 0;
    on_disk_ += kept;
    file_.cut_back(on_disk_);
    throw WaveError(path_, error);
}

}  // namespace ndsim
