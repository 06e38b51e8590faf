// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/shared_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ndsim::prove {

namespace {

// What the generator moved a second while all were measured: messages, or transfers of the host.
constexpr std::array kShared{".shared_goodput", ".shared_rate"};

// Whether the generator moved data while all were measured. That is not counted for the only one, and says nothing of
// one with empty messages.
template <class Figures>
bool has_part(const Figures& figures, const Json& first, const std::string& generator) {
    const bool is_empty = has(first, generator + ".bytes") && figure(figures, generator + ".bytes") == 0;
    const auto is_known = [&](const char* what) { return has(first, generator + what); };
    const auto is_any = [&](const char* what) { return figure(figures, generator + what) > 0; };
    return is_empty || std::ranges::none_of(kShared, is_known) || std::ranges::any_of(kShared, is_any);
}

bool takes_part(const Json& result, const std::string& generator) {
    return has_part(result, result, generator);
}

// How many of a generator's messages were moved while all were measured, in thousandths.
WideSum shared_messages(const Json& result, const std::string& generator) {
    constexpr std::uint64_t kThousandthsOfBits = 8 * 1'000'000'000ULL;  // picoseconds
    const WideSum bits = figure(result, generator + ".shared_goodput") * figure(result, "run.measured");
    const WideSum bytes = figure(result, generator + ".bytes");
    return bytes == 0 ? 0 : bits * figure(result, generator + ".messages") / (bytes * kThousandthsOfBits);
}

// Whether all were measured for so short a time that their total goodput in it may be anything: its spread is larger
// than itself, or it is that of a few messages. Goodputs weigh the spreads of the generators, which are its upper
// bound.
bool is_too_short(const Json& result, const Generators& generators) {
    constexpr std::uint64_t kFewest = 20'000;  // thousandths
    constexpr std::uint64_t kAll = 1'000'000;  // ppm
    bool is_known = true;
    WideSum goodput = 0;
    WideSum spread = 0;
    WideSum messages = 0;
    for (const std::string& name : generators) {
        const WideSum shared = figure(result, name + ".shared_goodput");
        if (shared > 0) {
            is_known = is_known && has(result, name + ".shared_interval");
            goodput += shared;
            spread += shared * figure(result, name + ".shared_interval");
            messages += shared_messages(result, name);
        }
    }
    return is_known ? spread > goodput * kAll : messages < kFewest;
}

std::string doubt_in_one(const Json& result, const Generators& of) {
    Generators generators = generators_in(result, of);
    if (generators.empty()) {
        return "";
    }
    const std::string first = generators.front();
    std::erase_if(generators, [&](const std::string& name) { return !takes_part(result, name); });
    if (generators.empty()) {
        return fmt::format("moves no data of {} while all generators are measured (raise their count)", first);
    }
    return is_too_short(result, generators)
               ? "measures its generators side by side for too short a time (raise their count)"
               : "";
}

}  // namespace

bool takes_part(const Results& results, const std::string& generator) {
    return has_part(results, results.front(), generator);
}

std::string doubt_of(const Results& results, const Generators& of) {
    for (const Json& result : results) {
        for (const Generators& scope : {Generators{}, of}) {
            if (std::string doubt = doubt_in_one(result, scope); !doubt.empty()) {
                return doubt;
            }
        }
    }
    return "";
}

bool have_same_part(const Results& before, const Results& after) {
    return std::ranges::all_of(generators_in(before.front(), {}), [&](const std::string& name) {
        return takes_part(before, name) == takes_part(after, name);
    });
}

}  // namespace ndsim::prove
