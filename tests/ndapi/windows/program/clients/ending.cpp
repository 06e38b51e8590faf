// SPDX-License-Identifier: Apache-2.0
// A program with static objects and exit handlers that ends in the way which its argument names.
#undef NDEBUG  // one end is a failed assertion
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <process.h>

#include <exception>
#include <stdexcept>

struct Static {
    Static() { InterlockedIncrement(&made); }
    ~Static() { printf("destroyed %d\n", made); }
    volatile LONG made = 0;
};
static Static first;
static Static second;
static int runs = 0;

static void at_exit() {
    printf("at exit\n");
}

static void at_quick_exit_first() {
    printf("first at quick exit\n");
}
static void at_quick_exit_last() {
    printf("last at quick exit\n");
}

static void at_terminate() {
    printf("terminated\n");
    _exit(8);
}
static void return_at_terminate() {
    printf("returns\n");
}

static DWORD WINAPI exit_from_thread(LPVOID) {
    exit(77);
}

static DWORD WINAPI throw_from_thread(LPVOID) {
    throw std::runtime_error("no adapter");
}

int main(int argc, char** argv) {
    ++runs;
    second.made = 2;
    atexit(at_exit);
    printf("run %d\n", runs);
    const char* const how = argc > 1 ? argv[1] : "return";
    if (strcmp(how, "exit") == 0) {
        exit(0x12345678);
    }
    if (strcmp(how, "_exit") == 0) {
        _exit(4);
    }
    if (strcmp(how, "quick_exit") == 0) {
        at_quick_exit(at_quick_exit_last);
        at_quick_exit(at_quick_exit_first);
        quick_exit(9);
    }
    if (strcmp(how, "ExitProcess") == 0) {
        ExitProcess(5);
    }
    if (strcmp(how, "abort") == 0) {
        abort();
    }
    if (strcmp(how, "assert") == 0) {
        assert(argc == 0);
    }
    if (strcmp(how, "number") == 0) {
        throw 1;
    }
    if (strcmp(how, "exception") == 0) {
        throw std::runtime_error("no adapter");
    }
    if (strcmp(how, "set_terminate") == 0) {
        std::set_terminate(at_terminate);
        throw std::runtime_error("no adapter");
    }
    if (strcmp(how, "exception in a thread") == 0) {
        CreateThread(NULL, 0, throw_from_thread, NULL, 0, NULL);
    }
    if (strcmp(how, "set_terminate twice") == 0) {
        std::set_terminate(at_terminate);
        const std::terminate_handler before = std::set_terminate(return_at_terminate);
        printf("%d %d\n", before == at_terminate, std::get_terminate() == return_at_terminate);
        std::terminate();
    }
    if (strcmp(how, "thread") == 0) {
        CreateThread(NULL, 0, exit_from_thread, NULL, 0, NULL);
    }
    return 6;
}
