// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ledger_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "models/ledger/ledger.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

namespace {

constexpr double kAccountRow = 18;

// The places of columns in a picture's width.
struct LedgerColumns {
    double width;
    double names;
    double figures;  // at the right
    double shares;   // of the figures
    double top;
    std::size_t ticks;
};
constexpr LedgerColumns kWideLedger{kPictureWidth, 110, 150, 60, 30, 8};
constexpr LedgerColumns kNarrowLedger{kNarrowWidth, 88, 116, 48, 48, 4};

// The kind of time in an account, which its colour shows.
enum class Group : std::uint8_t { software, nic, network, wait };
// The name and the colour of a kind.
struct NamedGroup {
    std::string_view name;
    std::string_view colour;
};
constexpr std::array kGroups{NamedGroup{"host software", colour::kGreen},
                             NamedGroup{"NIC, PCIe, memory", colour::kBlue}, NamedGroup{"network", colour::kSky},
                             NamedGroup{"waiting", colour::kOrange}};

// In the order of Account.
constexpr std::array<Group, kAccounts> kGroupOf{
    Group::wait,      // slot
    Group::software,  // post
    Group::nic,       // doorbell
    Group::wait,      // arbitration
    Group::wait,      // wqe_cache
    Group::nic,       // wqe_fetch
    Group::nic,       // context
    Group::wait,      // fence
    Group::wait,      // read_limit
    Group::wait,      // tags
    Group::wait,      // credits
    Group::nic,       // payload_read
    Group::nic,       // tx
    Group::network,   // wire
    Group::wait,      // switch
    Group::wait,      // pause
    Group::network,   // rx_buffer
    Group::wait,      // rnr
    Group::wait,      // retransmit
    Group::wait,      // receive_wqe
    Group::wait,      // message
    Group::nic,       // dma_write
    Group::network,   // ack_return
    Group::nic,       // cqe
    Group::software,  // poll
};

std::string_view colour_of(std::string_view account) {
    const auto names = account_names();
    for (std::size_t i = 0; i < kAccounts; ++i) {
        if (names[i] == account) {
            return kGroups.at(static_cast<std::size_t>(kGroupOf.at(i))).colour;
        }
    }
    return colour::kFaint;
}

void draw_ledger_legend(Svg& svg, const LedgerColumns& columns) {
    Point at{columns.names, 6};
    for (const NamedGroup& group : kGroups) {
        const double width = 30 + width_of(group.name);
        if (at.x + width > columns.width) {
            at = {columns.names, at.y + 18};
        }
        svg.rect(at, 10, 10, group.colour);
        svg.text({at.x + 15, at.y + 9}, group.name);
        at.x += width;
    }
}

// Times of the request on the picture.
struct TimeAxis {
    const LedgerColumns& columns;
    std::uint64_t total = 0;
    double bottom = 0;

    [[nodiscard]] double width(double time) const {
        return (columns.width - columns.names - columns.figures) * time /
               static_cast<double>(std::max<std::uint64_t>(total, 1));
    }
    [[nodiscard]] double x(double time) const { return columns.names + width(time); }
};

void draw_axis(Svg& svg, const TimeAxis& axis) {
    const Unit unit = unit_for(Quantity::time, axis.total);
    const std::vector<double> ticks = round_ticks(0, unit(axis.total), axis.columns.ticks);
    for (const double tick : ticks) {
        const double x = axis.x(tick * unit.of);
        svg.line({x, axis.columns.top - 4}, {x, axis.bottom + 4}, {colour::kGrid});
        svg.text({x, axis.bottom + 16}, tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : 1), {Anchor::middle});
    }
    svg.text({axis.x(0) + axis.width(static_cast<double>(axis.total)) / 2, axis.bottom + 32},
             "time since the request began" + unit.in_brackets(), {Anchor::middle, colour::kFaint});
}

std::string svg_of(const MeanLedger& ledger, const std::string& title, const LedgerColumns& columns) {
    std::vector<std::uint64_t> times;
    for (const auto& [account, time] : ledger.accounts) {
        times.push_back(static_cast<std::uint64_t>(time.count()));
    }
    const std::vector<std::uint64_t> steps = cli::rounded_to_sum(times, cli::kTimeStep);
    const std::vector<std::uint64_t> shares = cli::shares_to_sum(times);
    const TimeAxis axis{columns, std::accumulate(times.begin(), times.end(), std::uint64_t{0}),
                        columns.top + kAccountRow * static_cast<double>(times.size())};
    Svg svg(columns.width, axis.bottom + 36, title);
    draw_ledger_legend(svg, columns);
    draw_axis(svg, axis);
    std::uint64_t begun = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double y = columns.top + kAccountRow * static_cast<double>(i);
        const std::string& account = ledger.accounts[i].first;
        const std::string ns = cli::decimal(steps[i], 1) + " ns";
        const std::string share = cli::decimal(shares[i], 1) + " %";
        svg.text({columns.names - 8, y + 13}, account, {Anchor::end});
        svg.rect({axis.x(static_cast<double>(begun)), y + 2}, std::max(1.0, axis.width(static_cast<double>(times[i]))),
                 kAccountRow - 4, colour_of(account), fmt::format("{}: {}, {}", account, ns, share));
        svg.text({columns.width - columns.shares, y + 13}, ns, {Anchor::end});
        svg.text({columns.width - 4, y + 13}, share, {Anchor::end});
        begun += times[i];
    }
    return svg.take();
}

Figure figure_of(const MeanLedger& ledger, std::size_t number) {
    const std::string title = fmt::format("{} {}: mean of {}, {}", ledger.host, ledger.operation, ledger.requests,
                                          cli::figure(ledger.mean_total));
    return {fmt::format("ledger-{}", number),    title, svg_of(ledger, title, kWideLedger), {}, {},
            svg_of(ledger, title, kNarrowLedger)};
}

}  // namespace

std::string ledger_chapter(const inspect::RecordedRun& run) {
    if (run.ledgers.empty()) {
        return note("No request was done.");
    }
    std::string html = paragraph(
        "Where the time of the mean request went. Each picosecond is in one account; the bars stand in the order of a "
        "Send's life, each where the one before ends. A request may come back to an account, so in one request the "
        "order can be another.");
    const std::vector<MeanLedger> ledgers = run.alike.merged(run.ledgers);
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        html += html_of(figure_of(ledgers[i], i + 1));
    }
    return html;
}

}  // namespace ndsim::report
