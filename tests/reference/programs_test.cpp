// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/reference/compare.hpp"
#include "tests/reference/random_programs.hpp"
#include "tests/reference/scenario_text.hpp"
#include "tests/support/catch.hpp"

using namespace ndsim::reference;

namespace programs_test {

using Settings = std::vector<std::pair<std::string, std::string>>;

// Whether a Read through what a message behind it invalidates still finds it alive is a matter of time [R46], of which
// the model knows nothing. With a fence it does.
void fence_invalidations(Epoch& epoch) {
    for (auto step = epoch.begin(); step != epoch.end(); ++step) {
        const auto is_hit = [&](const Step& before) {
            return before.what == What::read && before.side == step->side && before.connection == step->connection &&
                   before.target == step->target;
        };
        step->fence =
            step->fence || (step->what == What::send_and_invalidate && std::any_of(epoch.begin(), step, is_hit));
    }
}

Program with(Program any, const Settings& hardware) {
    std::for_each(any.epochs.begin(), any.epochs.end(), fence_invalidations);
    any.hardware.insert(any.hardware.end(), hardware.begin(), hardware.end());
    return settle(any);
}

std::string differences_of(const Program& program) {
    return differences(program, predict(program));
}

// Leaves the smallest program found in which model and simulator differ as a scenario file, and says where it is.
std::string keep(std::uint64_t seed, const Program& program) {
    const std::filesystem::path folder = NDSIM_REFERENCE_FOLDER;
    std::filesystem::create_directories(folder);
    const std::string path = folder / ("program-" + std::to_string(seed) + ".json");
    const std::string about = "Random program " + std::to_string(seed) + ", made small: the reference model differs";
    std::ofstream(path) << scenario_text(program, predict(program), about);
    return path;
}

// Each program has a seed of its own, so one can be repeated without those before it. `hardware` is what all have.
void programs_agree(std::uint64_t first_seed, std::uint64_t programs, const Settings& hardware = {}) {
    const auto generator = random_programs();
    for (std::uint64_t seed = first_seed; seed < first_seed + programs; ++seed) {
        const auto random = generator(rc::Random(seed));
        if (differences_of(with(random.value(), hardware)).empty()) {
            continue;
        }
        const auto [smallest, steps] = rc::shrinkable::findLocalMin(
            random, [&](const Program& program) { return !differences_of(with(program, hardware)).empty(); });
        FAIL("seed " << seed << ":\n"
                     << differences_of(with(smallest, hardware)) << "to run it: ndsim run "
                     << keep(seed, with(smallest, hardware)));
    }
}

TEST_CASE("reference: random programs agree") {
    programs_agree(1, 200);
}

TEST_CASE(
    "reference: random programs agree where receives are missed, parked, sent packets kept, completions compressed") {
    programs_agree(2001, 100,
                   {{"/nic/rq_prefetch", "1"},
                    {"/nic/rq_park", "1"},
                    {"/nic/retransmit_buffer", "\"6 KiB\""},
                    {"/nic/cqe_compression", "4"}});
}

TEST_CASE("reference: random programs agree where the NIC reads of receives in a record") {
    programs_agree(3001, 100, {{"/nic/rq_doorbell", "\"record\""}, {"/nic/rq_prefetch", "2"}});
}

TEST_CASE("reference: random programs agree, many more of them", "[long]") {
    programs_agree(100'000, 10'000);
}

}  // namespace programs_test
