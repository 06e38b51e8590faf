// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <span>
#include <sstream>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "tools/advise/command.hpp"
#include "tools/calibrate/command.hpp"
#include "tools/cli/colour.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/usage.hpp"
#include "tools/inspect/command.hpp"
#include "tools/prove/prove.hpp"
#include "tools/report/command.hpp"
#include "tools/sensitivity/command.hpp"
#include "tools/sensitivity/error_bars.hpp"
#include "tools/sweep/command.hpp"

namespace ndsim::cli {

namespace {

ExitCode run_command(std::span<char* const> said) {
    const std::vector<std::string> words = without_mark(said);
    CLI::App app("ndsim simulates RDMA NICs: the path of each message through hosts, PCIe, queues and wire.", "ndsim");
    Chosen chosen;
    app.set_version_flag("-V,--version", version_line(), "Print the versions of ndsim and of SystemC");
    app.require_subcommand(1);
    add_run(app, chosen, prove::prove_limits, sensitivity::error_bars);
    add_exec(app, chosen);
    sweep::add_sweep(app, chosen);
    sweep::add_collect(app, chosen);
    advise::add_advise(app, chosen, sensitivity::error_bars);
    sensitivity::add_sensitivity(app, chosen);
    calibrate::add_calibrate(app, chosen);
    add_check(app, chosen);
    add_metrics(app, chosen);
    inspect::add_explain(app, chosen);
    inspect::add_compare(app, chosen);
    inspect::add_wave(app, chosen);
    report::add_report(app, chosen);
    add_presets(app, chosen);
    add_schema(app, chosen);
    add_new(app, chosen);
    add_version(app, chosen);
    add_help(app, chosen);
    add_completion(app, chosen);
    add_manual(app, chosen);
    add_colour_option(app);
    app.footer(
        "\"ndsim COMMAND --help\" prints the options of a command.\n\n"
        "Example: ndsim run scenarios/library/quickstart.json");

    const bool json = std::ranges::count(words, "--json") > 0;
    try {
        if (const auto unknown = unknown_command(app, words)) {
            throw CLI::ExtrasError(*unknown, CLI::ExitCodes::ExtrasError);
        }
        std::vector<std::string> last_first(words.rbegin(), words.rend());
        if (!last_first.empty()) {
            last_first.pop_back();  // ndsim's own name
        }
        app.parse(std::move(last_first));
        return chosen.action();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
            std::ostringstream help;
            app.exit(error, help, help);
            print(help.str());
            return ExitCode::success;
        }
        if (words.size() < 2) {
            fmt::print(stderr, "{}", app.help());
        } else {
            tell(usage_failure(app, error), json);
        }
        return ExitCode::usage;
    } catch (const std::exception& error) {
        const Failure failure = failure_of(error);
        tell(failure, chosen.json);
        return failure.exit;
    }
}

}  // namespace

}  // namespace ndsim::cli

int sc_main(int argc, char** argv) {
    using namespace ndsim::cli;
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));  // at a limit of file sizes, write() fails as on a full disk
    try {
        return static_cast<int>(run_command({argv, static_cast<std::size_t>(argc)}));
    } catch (const std::exception& error) {  // could not even be printed
        fmt::print(stderr, "ndsim: {}\n", error.what());
        return static_cast<int>(ExitCode::output_unwritten);
    }
}

// SystemC's own main program, without its banner.
int main(int argc, char** argv) {
    // The old place of a table that has grown goes back to the system at once: glibc's limit would grow with the
    // tables, and 100,000 queue pairs would leave 1.3 KB of holes each.
    ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
