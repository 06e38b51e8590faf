// SPDX-License-Identifier: Apache-2.0
// A program whose threads wait while they handle exceptions. It prints what is not as it should be.
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

// The thread that began first ends first, while the other is still at it.
void handle(const std::string& text, std::chrono::milliseconds time) {
    try {
        throw std::runtime_error(text);
    } catch (const std::runtime_error& error) {
        std::this_thread::sleep_for(time);
        expect(error.what() == text, "the exception that it caught");
        try {
            throw;
        } catch (const std::exception& again) {
            expect(again.what() == text, "the same again");
        }
    }
    expect(std::current_exception() == nullptr && std::uncaught_exceptions() == 0, "none is left");
}

}  // namespace

int main() {
    std::thread first(handle, "the first", std::chrono::milliseconds(1));
    std::thread second(handle, "the second", std::chrono::milliseconds(2));
    handle("that of main", std::chrono::milliseconds(3));
    first.join();
    second.join();
    return failures;
}
