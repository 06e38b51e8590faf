// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/status_name.hpp"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>

#include "ndapi/windows/abi/status_names.hpp"

namespace ndsim {

std::string status_name(NTSTATUS status) {
    const auto* const row = std::ranges::find(kStatusNames, status, &StatusName::status);
    if (row != kStatusNames.end()) {
        return std::string(row->name);
    }
    std::ostringstream number;
    number << "0x" << std::hex << std::setfill('0') << std::setw(8) << static_cast<std::uint32_t>(status);
    return number.str();
}

}  // namespace ndsim
