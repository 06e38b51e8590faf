// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim::wsd {

// The stages of a socket's life.
enum class Stage : std::uint8_t {
    created,
    bound,
    listening,
    connecting,
    connected,
    disconnected,  // the error is the reason
    suspended,
    closed
};

// Life: the stage that a socket has reached, and the error of its connection. The first error stays (W103).
class Life {
public:
    [[nodiscard]] Stage stage() const { return stage_; }
    void reach(Stage stage) { stage_ = stage; }
    [[nodiscard]] int error() const { return error_; }
    void fail(int error) { error_ = error_ == 0 ? error : error_; }

private:
    Stage stage_ = Stage::created;
    int error_ = 0;
};

}  // namespace ndsim::wsd
