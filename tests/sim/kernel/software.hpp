// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <systemc>
#include <utility>

namespace ndsim::test {

// Software: an SC_THREAD that runs `story`.
class Software : public sc_core::sc_module {
public:
    Software(const sc_core::sc_module_name& name, std::function<void()> story)
        : sc_module(name), story_(std::move(story)) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }

private:
    void run() { story_(); }

    std::function<void()> story_;
};

}  // namespace ndsim::test
