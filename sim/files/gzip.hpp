// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ndsim {

// Gzip: a text compressed piece by piece. The bytes depend on the pieces alone: the header has no time and no name.
class Gzip {
public:
    Gzip();

    // Appends the compressed piece to `out`. A reader of the bytes so far gets the whole text so far.
    void add(std::string_view text, std::string& out);
    // The same, and the end of the stream.
    void finish(std::string_view text, std::string& out);
    // go_back() forgets every piece since mark().
    void mark();
    void go_back();

private:
    struct State;
    using Stream = std::unique_ptr<State, void (*)(State*)>;
    void pass(std::string_view text, int flush, std::string& out);

    Stream stream_;
    Stream marked_;
};

}  // namespace ndsim
