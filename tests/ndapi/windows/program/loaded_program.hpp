// SPDX-License-Identifier: Apache-2.0
// A program of tests/ndapi/windows/program/clients, loaded and attached to a host as a loader does.
#pragma once

#include <dlfcn.h>

#include <stdexcept>

#include "ndapi/windows/program/entry.hpp"
#include "tests/ndapi/windows/program/clients/functions.hpp"
#include "tests/ndapi/windows/program/fake_host.hpp"

class LoadedProgram {
public:
    // By its name, or by a path.
    LoadedProgram(const std::string& name, FakeHost& host)
        : host_(host), library_(::dlopen(path_of(name).c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (library_ == nullptr) {
            throw std::runtime_error(::dlerror());
        }
        entry_ = ndsim::entry_of(library_);
        entry_.attach(&host);
    }

    static std::string path_of(const std::string& name) {
        return name.find('/') == std::string::npos ? NDSIM_CLIENTS "/" + name + ".so" : name;
    }

    template <class Type>
    Type* function(const char* name) const {
        return reinterpret_cast<Type*>(::dlsym(library_, name));
    }

    const Functions& functions() const { return *function<const Functions*()>("functions")(); }

    // Its exit code.
    int run(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments) {
            argv.push_back(argument.data());
        }
        argv.push_back(nullptr);
        return host_.run(
            [&] { return entry_.start(entry_.narrow, entry_.wide, static_cast<int>(argv.size()) - 1, argv.data()); });
    }

private:
    FakeHost& host_;
    void* library_;  // never unloaded: it ends with the test
    ndsim::ProgramEntry entry_;
};
