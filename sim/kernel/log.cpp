// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/log.hpp"

#include <fmt/format.h>

namespace ndsim {

namespace {

// Logs with the simulated time in front of the text.
class StampingLogger final : public spdlog::logger {
public:
    StampingLogger(const spdlog::logger& parent, std::string name, std::function<Picoseconds()> now)
        : logger(std::move(name), parent.sinks().begin(), parent.sinks().end()), now_(std::move(now)) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        const std::int64_t ps = now_().count();
        const std::string text = fmt::format("[{:>7}.{:03} us] {}: {}", ps / 1'000'000, ps / 1'000 % 1'000, name(),
                                             std::string_view(message.payload.data(), message.payload.size()));
        spdlog::details::log_msg stamped = message;
        stamped.payload = text;
        logger::sink_it_(stamped);
    }

    std::function<Picoseconds()> now_;
};

}  // namespace

std::shared_ptr<spdlog::logger> make_log(const spdlog::logger& parent, const std::string& name,
                                         std::function<Picoseconds()> now) {
    auto logger = std::make_shared<StampingLogger>(parent, name, std::move(now));
    logger->set_level(parent.level());
    return logger;
}

}  // namespace ndsim
