// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/log.hpp"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/sink.h>

namespace ndsim {

namespace {

// Passes lines to other sinks with the simulated time in front of their text.
class StampingSink final : public spdlog::sinks::sink {
public:
    StampingSink(std::vector<spdlog::sink_ptr> sinks, std::function<Picoseconds()> now)
        : sinks_(std::move(sinks)), now_(std::move(now)) {}

    void log(const spdlog::details::log_msg& message) override {
        const std::int64_t ps = now_().count();
        const std::string text = fmt::format("[{:>7}.{:03} us] {}: {}", ps / 1'000'000, ps / 1'000 % 1'000,
                                             std::string_view(message.logger_name.data(), message.logger_name.size()),
                                             std::string_view(message.payload.data(), message.payload.size()));
        spdlog::details::log_msg stamped = message;
        stamped.payload = text;
        for (const spdlog::sink_ptr& target : sinks_) {
            target->log(stamped);
        }
    }
    void flush() override {
        for (const spdlog::sink_ptr& target : sinks_) {
            target->flush();
        }
    }
    void set_pattern(const std::string&) override {}
    void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

private:
    std::vector<spdlog::sink_ptr> sinks_;
    std::function<Picoseconds()> now_;
};

}  // namespace

std::shared_ptr<spdlog::logger> make_log(const spdlog::logger& parent, const std::string& name,
                                         std::function<Picoseconds()> now) {
    auto logger =
        std::make_shared<spdlog::logger>(name, std::make_shared<StampingSink>(parent.sinks(), std::move(now)));
    logger->set_level(parent.level());
    return logger;
}

}  // namespace ndsim
