// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/request_labels.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// Checks the expectations.
class ExpectationChecker {
public:
    ExpectationChecker(const Scenario& scenario, Checker& check)
        : scenario_(scenario), check_(check), labels_(scenario) {}

    void check(const Expectation& expectation) {
        if (const auto* const completion = std::get_if<CompletionExpectation>(&expectation.what)) {
            check_completion(*completion, expectation.path);
        } else if (const auto* const order = std::get_if<OrderExpectation>(&expectation.what)) {
            check_order(*order, expectation.path + ".order");
        } else if (const auto* const memory = std::get_if<MemoryExpectation>(&expectation.what)) {
            check_memory(*memory, expectation.path);
        }
    }

private:
    void check_completion(const CompletionExpectation& completion, const std::string& path) {
        const auto requests = find(completion.request, path + ".completion");
        const bool succeeds =
            completion.completes.value_or(true) && (completion.status.empty() || completion.status == "success");
        const bool any_silent = std::ranges::any_of(
            requests, [](const RequestLabels::Labelled& each) { return (each.flags & kPostSilentSuccess) != 0; });
        if (succeeds && any_silent) {
            check_.wrong(path, completion.request + " is silent: it has no completion if it succeeds");
        }
    }

    std::span<const RequestLabels::Labelled> find(const std::string& request, const std::string& path) {
        const auto found = labels_.find(request);
        const std::string host = endpoint_of(request).host;
        const bool host_is_known = find_named(scenario_.hosts, host) != nullptr;
        // The missing post may be the problem that the program already has.
        if (found.empty() && !request.empty() && (!host_is_known || check_.is_sound("programs." + host))) {
            check_.missing(path, "request", request, labels_.all());
        }
        return found;
    }

    void check_order(const OrderExpectation& order, const std::string& path) {
        std::set<std::string> requests;
        bool all_known = true;
        for (std::size_t i = 0; i < order.requests.size(); ++i) {
            const auto found = find(order.requests[i], element(path, i));
            all_known = all_known && !found.empty();
            for (const RequestLabels::Labelled& request : found) {
                if (!requests.insert(request.name).second) {
                    check_.wrong(element(path, i), in_quotes(request.name) + " appears twice");
                }
            }
        }
        if (all_known && requests.size() < 2 && check_.is_sound(path)) {
            check_.wrong(path, "expected at least two requests");
        }
    }

    void check_memory(const MemoryExpectation& memory, const std::string& path) {
        for (const auto& [key, text] : {std::pair{".memory", &memory.buffer}, std::pair{".equals", &memory.equals}}) {
            if (text->empty()) {
                continue;  // reported already
            }
            const Endpoint reference = endpoint_of(*text);
            const Host* const host = find_named(scenario_.hosts, reference.host);
            if (host == nullptr) {
                check_.missing(path + key, "host", reference.host, names_of(scenario_.hosts));
                continue;
            }
            const Buffer* const buffer = find_named(host->buffers, reference.name);
            if (buffer == nullptr) {
                check_.missing(path + key, "buffer", *text, qualified_names(*host, host->buffers));
            } else if (memory.offset + memory.size > buffer->size &&
                       check_.is_sound("hosts." + host->name + ".buffers." + buffer->name)) {
                check_.wrong(path + (memory.size == 0_B ? ".offset" : ".size"),
                             to_text(memory.size) + " at " + to_text(memory.offset) + " reach beyond " + *text +
                                 " of " + to_text(buffer->size));
            }
        }
    }

    const Scenario& scenario_;
    Checker& check_;
    const RequestLabels labels_;
};

}  // namespace

void check_expectations(const Scenario& scenario, Checker& check) {
    ExpectationChecker checker(scenario, check);
    for (const Expectation& expectation : scenario.expect) {
        checker.check(expectation);
    }
}

}  // namespace ndsim::format
