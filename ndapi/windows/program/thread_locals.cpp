// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/thread_locals.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_list.hpp"

namespace ndsim {
namespace {

constexpr DWORD kBeforeAttach = 1;  // the number of Detached's only thread

// Where the variables of a loaded object are described; of this one, as it has this function.
struct Template {
    std::size_t module = 0;
    const std::byte* start = nullptr;
    std::size_t initialised = 0;  // bytes; the others are 0
    std::size_t size = 0;
    std::size_t alignment = 1;
};

bool holds(const dl_phdr_info& object, std::uintptr_t address) {
    const std::span headers(object.dlpi_phdr, object.dlpi_phnum);
    return std::any_of(headers.begin(), headers.end(), [&](const ElfW(Phdr) & each) {
        const std::uintptr_t start = object.dlpi_addr + each.p_vaddr;
        return each.p_type == PT_LOAD && address >= start && address < start + each.p_memsz;
    });
}

int find_template(dl_phdr_info* object, std::size_t, void* found) {
    if (!holds(*object, reinterpret_cast<std::uintptr_t>(&find_template))) {
        return 0;
    }
    for (const ElfW(Phdr) & each : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
        if (each.p_type == PT_TLS) {
            *static_cast<Template*>(found) = {object->dlpi_tls_modid,
                                              reinterpret_cast<const std::byte*>(object->dlpi_addr + each.p_vaddr),
                                              each.p_filesz, each.p_memsz, std::max<std::size_t>(each.p_align, 1)};
        }
    }
    return 1;
}

ThreadLocals* new_locals(DWORD thread, ThreadLocals* next) {
    Template from;
    (void)::dl_iterate_phdr(find_template, &from);
    instance().own_module = from.module;
    const std::align_val_t alignment{from.alignment};
    auto* const bytes = static_cast<std::byte*>(::operator new(from.size, alignment));
    std::fill(std::copy_n(from.start, from.initialised, bytes), bytes + from.size, std::byte{0});
    return new ThreadLocals{thread, bytes, alignment, next};
}

std::byte* variables_of(DWORD thread) {
    ThreadLocals*& first = instance().thread_locals;
    for (const ThreadLocals* each = first; each != nullptr; each = each->next) {
        if (each->thread == thread) {
            return each->variables;
        }
    }
    first = new_locals(thread, first);
    return first->variables;
}

// Takes the first of a thread from a list.
template <class Listed>
std::unique_ptr<Listed> take_first(Listed*& first, DWORD thread) {
    Listed** at = &first;
    while (*at != nullptr && (*at)->thread != thread) {
        at = &(*at)->next;
    }
    std::unique_ptr<Listed> found(*at);
    if (found != nullptr) {
        *at = found->next;
    }
    return found;
}

template <class Listed>
void rename(Listed* first, DWORD from, DWORD to) {
    for (Listed* each = first; each != nullptr; each = each->next) {
        each->thread = each->thread == from ? to : each->thread;
    }
}

}  // namespace

void adopt_thread_locals() {
    const DWORD me = host().thread_id();
    rename(instance().thread_locals, kBeforeAttach, me);
    rename(instance().thread_exits, kBeforeAttach, me);
}

void at_thread_end(void (*function)(void*), void* argument) {
    ThreadExit** end = &instance().thread_exits;
    while (*end != nullptr) {
        end = &(*end)->next;
    }
    *end = new ThreadExit{host().thread_id(), function, argument, nullptr};
}

// A destructor may make others.
void end_thread_locals() {
    const DWORD me = host().thread_id();
    while (const auto exit = take_first(instance().thread_exits, me)) {
        exit->function(exit->argument);
    }
}

void end_thread() {
    end_thread_locals();
    const DWORD me = host().thread_id();
    if (const auto locals = take_first(instance().thread_locals, me)) {
        ::operator delete(locals->variables, locals->alignment);
    }
    while (take_first(instance().slot_values, me) != nullptr) {
    }
    (void)take_first(instance().call_states, me);
}

}  // namespace ndsim

extern "C" {

// What the compiler calls where a program looks at a thread_local variable. Those of other objects, such as the C++
// library's, are the operating system's thread's.
struct TlsIndex {
    std::size_t module;
    std::size_t offset;
};

void* __tls_get_addr(TlsIndex* index) {
    ndsim::Instance& instance = ndsim::instance();
    std::byte* const variables = ndsim::variables_of(ndsim::host().thread_id());
    if (index->module == instance.own_module) {
        return variables + index->offset;
    }
    const auto library = reinterpret_cast<void* (*)(TlsIndex*)>(::dlsym(RTLD_DEFAULT, "__tls_get_addr"));
    return library(index);
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) noexcept {
    ndsim::ThreadExit*& newest = ndsim::instance().thread_exits;
    auto* const added = new (std::nothrow) ndsim::ThreadExit{ndsim::host().thread_id(), function, argument, newest};
    newest = added == nullptr ? newest : added;
    return added == nullptr ? -1 : 0;
}
}
