// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/prove/figures_of.hpp"

// What generators moved in the time in which all of them were measured.
namespace ndsim::prove {

// Whether the generator moved data in that time, or is the only one.
[[nodiscard]] bool takes_part(const Results& results, const std::string& generator);

// Why these generators' results cannot be compared with others, such as "measures its generators ..."; empty if they
// can. With several generators the figures are those of the time in which all are measured.
[[nodiscard]] std::string doubt_of(const Results& results, const Generators& of);

// Whether the same generators moved data while all were measured. Otherwise what is missing afterwards may have been
// moved at another time, so that no loss can be told from the figures.
[[nodiscard]] bool have_same_part(const Results& before, const Results& after);

}  // namespace ndsim::prove
