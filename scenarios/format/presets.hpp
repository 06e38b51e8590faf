// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "models/nic/nic_params.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// Named sets of parameter values. A: a generic 100G FPGA NIC; B: like a ConnectX-5, 100G; C: like a ConnectX-6, 200G;
// D: like a ConnectX-7, 400G. "Like" means sized to behave like that class.
inline constexpr std::array<std::string_view, 4> kPresetNames{"A", "B", "C", "D"};

// A parameter that the presets set, with the source of each value: a key of timing.md section 1 behind "S:", or another
// word of docs/model/sources.md.
struct PresetRow {
    std::string_view path;  // nic.tags within a host, link.rate
    std::array<std::string_view, kPresetNames.size()> values;
    std::array<std::string_view, kPresetNames.size()> sources;
};

// The certainty of a value from that source.
[[nodiscard]] Mark mark_of(std::string_view source);
// The row of a parameter; nullptr if no preset sets it.
[[nodiscard]] const PresetRow* preset_row(std::string_view path);
[[nodiscard]] std::span<const PresetRow> preset_rows();

// Sets the preset's values. `name` is one of kPresetNames.
void apply_preset(std::string_view name, NodeParams& node);
void apply_preset(std::string_view name, LinkParams& link);

}  // namespace ndsim
