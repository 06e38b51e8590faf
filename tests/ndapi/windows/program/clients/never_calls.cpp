// SPDX-License-Identifier: Apache-2.0
// A program that never comes back: it waits for something outside of the simulation.
#include <windows.h>

extern "C" int pause();

int main() {
    Sleep(1);
    for (;;) {
        pause();  // as a loop would, but without a core of the machine
    }
}
