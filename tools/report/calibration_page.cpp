// SPDX-License-Identifier: Apache-2.0
#include "tools/report/calibration_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/fit_pictures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/page.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

// A figure's value with the unit of its quantity, "time".
std::string figure_text(const Json& figure, const char* which) {
    Amount amount{figure.at(which).get<std::uint64_t>(), std::nullopt};
    for (const Quantity quantity : kQuantities) {
        if (figure.at("quantity") == word(quantity)) {
            amount.quantity = quantity;
        }
    }
    return cli::rounded(to_text(amount));
}

// The relative error of the simulated figure.
double off(const Json& figure, const char* which) {
    return figure.at(which).get<double>() / figure.at("measured").get<double>() - 1;
}
std::string off_text(const Json& figure, const char* which) {
    return fmt::format("{:+.1f} %", 100 * off(figure, which));
}

// traffic.t.size=64 B becomes size=64 B, as in ndsim calibrate.
std::string without_generator(const std::string& name) {
    constexpr std::string_view kTraffic = "traffic.";
    const std::size_t point = name.find('.', kTraffic.size());
    return name.starts_with(kTraffic) && point != std::string::npos ? name.substr(point + 1) : name;
}

std::string case_of(const Json& figure) {
    std::vector<std::string> sets;
    for (const Json& set : figure.at("set")) {
        sets.push_back(without_generator(set));
    }
    return join(sets, ", ");
}

// "120 ns" in the smallest unit, or a count; all values of a parameter have one quantity.
double number_in(const std::string& text) {
    const std::optional<Amount> amount = amount_in(text);
    return amount ? static_cast<double>(amount->value) : 0;
}

std::string percent_of(const Json& calibration, const char* which) {
    return fmt::format("{:.2f} %", calibration.at(which).get<double>() / 10'000);
}

std::string fit_chapter(const Json& calibration) {
    TableOf table{{"figure", "with", ">measured", ">before", ">off", ">after", ">off"}, {}};
    std::vector<FittedFigure> figures;
    for (const Json& figure : calibration.at("figures")) {
        const std::string metric = without_generator(figure.at("metric"));
        const std::string with = case_of(figure);
        table.rows.push_back({metric, with, figure_text(figure, "measured"), figure_text(figure, "before"),
                              off_text(figure, "before"), figure_text(figure, "after"), off_text(figure, "after")});
        figures.push_back({with.empty() ? metric : metric + ", " + with, off(figure, "before"), off(figure, "after")});
    }
    return paragraph(fmt::format("{} figures of {}: {} off before, {} after (root mean square).", figures.size(),
                                 calibration.at("measurements").get<std::string>(),
                                 percent_of(calibration, "rms_before_ppm"), percent_of(calibration, "rms_after_ppm"))) +
           html_of(fit_figure(figures)) + html_of(table) +
           note("A fit alone proves nothing: figures that were not part of it do.");
}

std::string from_to(const Json& ends) {
    return fmt::format("{} .. {}", cli::rounded(ends.at(0).get<std::string>()),
                       cli::rounded(ends.at(1).get<std::string>()));
}

bool is_at_end(const Json& parameter) {
    const Json& after = parameter.at("after");
    return after != parameter.at("before") &&
           (after == parameter.at("range").at(0) || after == parameter.at("range").at(1));
}

// "well determined", with a note if it is at the end of its range.
std::string determined_text(const Json& parameter) {
    const std::string determined = parameter.at("determined");
    if (determined == "no") {
        return "undetermined";
    }
    return determined + " determined" + (is_at_end(parameter) ? ", at the end of its range" : "");
}

std::string parameters_chapter(const Json& calibration) {
    TableOf table{{"parameter", ">before", ">after", "stays within", "range", "", "why that range"}, {}};
    std::vector<FittedRange> ranges;
    for (const Json& parameter : calibration.at("parameters")) {
        table.rows.push_back({parameter.at("name"), parameter.at("before"), parameter.at("after"),
                              from_to(parameter.at("within")), from_to(parameter.at("range")),
                              determined_text(parameter), parameter.at("reason")});
        ranges.push_back({parameter.at("name"), number_in(parameter.at("range").at(0)),
                          number_in(parameter.at("range").at(1)), number_in(parameter.at("within").at(0)),
                          number_in(parameter.at("within").at(1)), number_in(parameter.at("before")),
                          number_in(parameter.at("after")), parameter.at("determined") == "well",
                          from_to(parameter.at("range")), from_to(parameter.at("within")), parameter.at("before"),
                          parameter.at("after")});
    }
    return ranges.empty() ? note("No estimate changes a measured figure by a thousandth: there is nothing to fit.")
                          : html_of(ranges_figure(ranges)) + html_of(table);
}

std::string names_where(const Json& calibration, std::string_view determined) {
    std::vector<std::string> names;
    for (const Json& parameter : calibration.at("parameters")) {
        if (parameter.at("determined") == determined) {
            names.push_back(parameter.at("name"));
        }
    }
    return join(names, ", ");
}

std::string open_chapter(const Json& calibration) {
    std::string html;
    if (const std::string names = names_where(calibration, "no"); !names.empty()) {
        html += paragraph("Undetermined: " + names +
                          ". The measurements do not determine these, or only their sum with others: the values are no "
                          "better than before.");
    }
    if (const std::string names = names_where(calibration, "hardly"); !names.empty()) {
        html += paragraph("Hardly determined: " + names + ". These may be anywhere in more than half of their ranges.");
    }
    if (const auto left = calibration.at("left").get<std::vector<std::string>>(); !left.empty()) {
        html += paragraph("Not fitted, as they matter less: " + join(left, ", ") + ".");
    }
    return html.empty() ? paragraph("Nothing: each parameter is well determined.")
                        : html + note(
                                     "Another kind of measurement helps: other sizes, a rate beside a latency, Reads "
                                     "beside Writes.");
}

}  // namespace

std::string calibration_page(const std::string& folder) {
    const std::string path = folder + "/calibration.json";
    std::ifstream file(path);
    try {
        const Json calibration = Json::parse(file);
        const std::string name = std::filesystem::path(calibration.at("file").get<std::string>()).stem().string();
        return page_of(name + ": calibration", fmt::format("<h1>{}: calibration</h1>\n", escaped(name)),
                       {{"Fit", fit_chapter(calibration)},
                        {"Parameters", parameters_chapter(calibration)},
                        {"Left open", open_chapter(calibration)}});
    } catch (const Json::exception&) {
        throw cli::UsageError(path + " is not what this version of ndsim calibrate writes; run it again");
    }
}

}  // namespace ndsim::report
