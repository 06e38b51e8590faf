// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that keep something from one call to the next: strtok, rand, gmtime and their like.
// Windows keeps it for each thread; the C library under the simulator has it once for all programs. Hosts live in UTC.
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

CallState& own_state() {
    const DWORD me = host().thread_id();
    CallState* state = instance().call_states;
    while (state != nullptr && state->thread != me) {
        state = state->next;
    }
    if (state == nullptr) {
        state = new CallState{};
        state->thread = me;
        state->next = std::exchange(instance().call_states, state);
    }
    return *state;
}

}  // namespace
}  // namespace ndsim

extern "C" {

char* strtok(char* text, const char* separators) noexcept {
    return ::strtok_r(text, separators, &ndsim::own_state().rest);
}

// The generator of Windows' C library, so that a program has the numbers that it has there.
void srand(unsigned seed) noexcept {
    ndsim::own_state().random = seed;
}
int rand() noexcept {
    std::uint32_t& random = ndsim::own_state().random;
    random = random * 214013 + 2531011;
    return static_cast<int>(random >> 16 & 0x7FFF);
}

std::tm* gmtime(const std::time_t* seconds) noexcept {
    return ::gmtime_r(seconds, &ndsim::own_state().day);
}
std::tm* localtime(const std::time_t* seconds) noexcept {
    return gmtime(seconds);
}
std::time_t mktime(std::tm* day) noexcept {
    return ::timegm(day);
}
char* asctime(const std::tm* day) noexcept {
    return ::asctime_r(day, ndsim::own_state().text.data());
}
char* ctime(const std::time_t* seconds) noexcept {
    return asctime(gmtime(seconds));
}
}
