// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/logging.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <memory>
#include <systemc>

#include "tools/cli/output.hpp"

namespace ndsim::cli {

namespace {

void report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if ((actions & sc_core::SC_DISPLAY) != 0) {
        const auto level = report.get_severity() == sc_core::SC_INFO ? spdlog::level::debug : spdlog::level::warn;
        spdlog::log(level, "SystemC: {}: {}", report.get_msg_type(), report.get_msg());
    }
    constexpr auto kDone = static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY | sc_core::SC_LOG);
    sc_core::sc_report_handler::default_handler(report, actions & ~kDone);
}

}  // namespace

std::vector<std::string> log_levels() {
    return {"debug", "info", "warning", "error", "off"};
}

void log_to_stderr(const std::string& level) {
    const auto mode = Paint(stderr).is_on() ? spdlog::color_mode::always : spdlog::color_mode::never;
    auto logger =
        std::make_shared<spdlog::logger>("ndsim", std::make_shared<spdlog::sinks::stderr_color_sink_st>(mode));
    logger->set_pattern("ndsim: %^%l%$: %v");
    logger->set_level(spdlog::level::from_str(level));
    spdlog::set_default_logger(std::move(logger));
    sc_core::sc_report_handler::set_handler(report);
}

}  // namespace ndsim::cli
