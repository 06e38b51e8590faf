// SPDX-License-Identifier: Apache-2.0
#include "sim/files/gzip.hpp"

#include <zlib.h>

#include <array>
#include <new>
#include <utility>

namespace ndsim {

struct Gzip::State {
    z_stream z{};
};

namespace {

constexpr int kLevel = 6;
constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks for gzip's frame
constexpr int kMemory = 8;            // zlib's default
constexpr std::size_t kPiece = std::size_t{1} << 16U;

}  // namespace

Gzip::Gzip()
    : stream_(new State,
              [](State* state) {
                  deflateEnd(&state->z);
                  delete state;
              }),
      marked_(nullptr, stream_.get_deleter()) {
    if (deflateInit2(&stream_->z, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
}

void Gzip::add(std::string_view text, std::string& out) {
    pass(text, Z_SYNC_FLUSH, out);
}

void Gzip::finish(std::string_view text, std::string& out) {
    pass(text, Z_FINISH, out);
}

void Gzip::mark() {
    Stream copy(new State, stream_.get_deleter());
    if (deflateCopy(&copy->z, &stream_->z) != Z_OK) {
        throw std::bad_alloc();
    }
    marked_ = std::move(copy);
}

void Gzip::go_back() {
    if (marked_) {
        stream_ = std::move(marked_);
    }
}

void Gzip::pass(std::string_view text, int flush, std::string& out) {
    std::array<char, kPiece> piece;
    z_stream& z = stream_->z;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    z.avail_in = static_cast<uInt>(text.size());
    do {
        z.next_out = reinterpret_cast<Bytef*>(piece.data());
        z.avail_out = static_cast<uInt>(piece.size());
        deflate(&z, flush);
        out.append(piece.data(), piece.size() - z.avail_out);
    } while (z.avail_out == 0);
}

}  // namespace ndsim
