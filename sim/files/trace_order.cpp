// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_order.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <type_traits>
#include <utility>

namespace ndsim {

namespace {

constexpr std::size_t kOrderBuffer = std::size_t{1} << 16U;

// The fixed part of an event in the file; its text follows.
struct EventHeader {
    std::int64_t at = 0;
    std::int64_t duration = 0;
    std::uint64_t owner = 0;
    std::uint64_t number = 0;
    std::uint32_t track = 0;
    std::uint32_t length = 0;
    std::uint64_t kind = 0;
};
static_assert(std::has_unique_object_representations_v<EventHeader>);

[[noreturn]] void fail(int error) {
    throw std::system_error(error, std::generic_category());
}

}  // namespace

// The file with the runs. It is read while it grows.
class TraceOrder::File {
public:
    explicit File(const std::string& path)
        : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
        if (descriptor_ < 0) {
            fail(errno);
        }
        ::unlink(path.c_str());
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { ::close(descriptor_); }

    void append(const std::string& bytes) {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t n = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, offset(size_));
            if (n > 0) {
                done += static_cast<std::size_t>(n);
                size_ += static_cast<std::uint64_t>(n);
            } else if (n == 0 || errno != EINTR) {
                fail(n == 0 ? ENOSPC : errno);
            }
        }
    }
    void read(std::uint64_t from, std::string& into) const {
        for (std::size_t done = 0; done < into.size();) {
            const ssize_t n = ::pread(descriptor_, into.data() + done, into.size() - done, offset(from + done));
            if (n > 0) {
                done += static_cast<std::size_t>(n);
            } else if (n == 0 || errno != EINTR) {
                fail(n == 0 ? EIO : errno);
            }
        }
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    static off_t offset(std::uint64_t at) { return static_cast<off_t>(at); }

    int descriptor_;
    std::uint64_t size_ = 0;
};

// One run of the file, from its first unread event on.
class TraceOrder::Run {
public:
    Run(const File& file, std::uint64_t from, std::uint64_t end) : file_(file), next_(from), end_(end) { advance(); }

    [[nodiscard]] bool is_over() const { return over_; }
    [[nodiscard]] const TraceEvent& front() const { return front_; }
    void advance() {
        if (next_ == end_ && used_ == buffer_.size()) {
            over_ = true;
            return;
        }
        EventHeader header;
        need(sizeof header);
        std::memcpy(&header, buffer_.data() + used_, sizeof header);
        used_ += sizeof header;
        need(header.length);
        front_ = {static_cast<TraceKind>(header.kind),
                  header.track,
                  Picoseconds{header.at},
                  Picoseconds{header.duration},
                  header.owner,
                  buffer_.substr(used_, header.length),
                  header.number};
        used_ += header.length;
    }

private:
    // Makes sure that the buffer has `bytes` from used_ on.
    void need(std::size_t bytes) {
        if (buffer_.size() - used_ >= bytes) {
            return;
        }
        buffer_.erase(0, std::exchange(used_, 0));
        const std::size_t had = buffer_.size();
        std::string more(std::min<std::uint64_t>(std::max(bytes, kOrderBuffer) - had, end_ - next_), '\0');
        file_.read(next_, more);
        next_ += more.size();
        buffer_ += more;
    }

    const File& file_;
    std::uint64_t next_;  // behind the buffer
    const std::uint64_t end_;
    std::string buffer_;
    std::size_t used_ = 0;
    TraceEvent front_;
    bool over_ = false;
};

TraceOrder::TraceOrder(std::string path, std::size_t most) : path_(std::move(path)), most_(most) {}

TraceOrder::~TraceOrder() = default;

void TraceOrder::push(TraceEvent event) {
    event.number = event.number == 0 ? new_number() : event.number;
    waiting_ += event.text.size();
    events_.push_back(std::move(event));
}

void TraceOrder::sort() {
    const auto earlier = [](const TraceEvent& a, const TraceEvent& b) { return a.key() < b.key(); };
    const auto fresh = events_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    std::sort(fresh, events_.end(), earlier);
    std::inplace_merge(events_.begin(), fresh, events_.end(), earlier);
    sorted_ = events_.size();
}

bool TraceOrder::is_run_first() const {
    return !runs_.empty() && (taken_ == events_.size() || runs_.front()->front().key() < events_[taken_].key());
}

const TraceEvent* TraceOrder::first() const {
    if (is_run_first()) {
        return &runs_.front()->front();
    }
    return taken_ < events_.size() ? &events_[taken_] : nullptr;
}

void TraceOrder::pop() {
    waiting_ -= first()->text.size();
    if (!is_run_first()) {
        ++taken_;
        return;
    }
    std::pop_heap(runs_.begin(), runs_.end(), later);
    runs_.back()->advance();
    if (runs_.back()->is_over()) {
        runs_.pop_back();
    } else {
        std::push_heap(runs_.begin(), runs_.end(), later);
    }
}

bool TraceOrder::later(const std::unique_ptr<Run>& a, const std::unique_ptr<Run>& b) {
    return a->front().key() > b->front().key();
}

void TraceOrder::make_room() {
    if (events_.size() <= most_) {
        return;
    }
    if (!file_) {
        file_ = std::make_unique<File>(path_);
    }
    const std::uint64_t from = file_->size();
    std::string bytes;
    for (const TraceEvent& event : events_) {
        EventHeader header;
        header.at = event.at.count();
        header.duration = event.duration.count();
        header.owner = event.owner;
        header.number = event.number;
        header.track = event.track;
        header.length = static_cast<std::uint32_t>(event.text.size());
        header.kind = static_cast<std::uint64_t>(event.kind);
        bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
        bytes += event.text;
        if (bytes.size() >= kOrderBuffer) {
            file_->append(bytes);
            bytes.clear();
        }
    }
    file_->append(bytes);
    events_.clear();
    sorted_ = 0;
    runs_.push_back(std::make_unique<Run>(*file_, from, file_->size()));
    std::push_heap(runs_.begin(), runs_.end(), later);
}

}  // namespace ndsim
