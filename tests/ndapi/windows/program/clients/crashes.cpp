// SPDX-License-Identifier: Apache-2.0
// A program that uses most of its stack, and then does what its argument names: write where there is no memory, or use
// more stack than there is.
#include <string.h>
#include <windows.h>

static volatile char sink;

static int use_stack(int kilobytes) {
    volatile char page[1024];
    page[0] = static_cast<char>(kilobytes);
    const int deeper = kilobytes == 0 ? 0 : use_stack(kilobytes - 1);
    return deeper + page[0];
}

int main(int argc, char** argv) {
    const char* const how = argc > 1 ? argv[1] : "";
    Sleep(1);
    sink = static_cast<char>(use_stack(700));
    if (strcmp(how, "null") == 0) {
        // Beside the null pointer, which a sanitizer would report before the crash.
        volatile char* volatile nowhere = reinterpret_cast<volatile char*>(16);
        *nowhere = 1;
    }
    if (strcmp(how, "stack") == 0) {
        sink = static_cast<char>(use_stack(1 << 20));
    }
    return 0;
}
