// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "scenarios/format/names.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/written.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// The bound of a metric.
struct Bound {
    std::optional<std::uint64_t> value;
    std::string text;
    std::optional<Quantity> unit;
};

Bound read_bound(const Place& place, std::string_view key) {
    const JsonNode* const node = place.node.find(key);
    if (node == nullptr) {
        return {};
    }
    if (const auto count = node->as_unsigned()) {
        return {count, node->shown(), std::nullopt};
    }
    std::string error =
        "expected a number and a unit, such as \"97 Gbps\", or a whole number for a count, got " + node->shown();
    if (node->is(JsonKind::string)) {
        for (const Quantity quantity : kQuantities) {
            const auto parsed = parse(quantity, node->text);
            if (parsed.value && quantity != Quantity::length) {  // no metric is one
                return {parsed.value, node->text, quantity};
            }
            // The error of a text whose unit is this quantity's.
            if (!parsed.error.starts_with("unknown unit") && !parsed.error.starts_with("expected")) {
                error = parsed.error;
            }
        }
    }
    place.wrong(*node, place.inner(key), std::move(error));
    return {};
}

MetricExpectation read_metric(const Place& place) {
    check_keys(place, section("metric"), {});
    MetricExpectation metric;
    metric.metric = read_text(place, "metric").value_or("");
    const Bound least = read_bound(place, "at_least");
    const Bound most = read_bound(place, "at_most");
    metric.at_least = least.value;
    metric.at_most = most.value;
    metric.at_least_text = least.text;
    metric.at_most_text = most.text;
    metric.unit = least.value ? least.unit : most.unit;
    metric.metric_at = place.node.find("metric")->at;
    if (const JsonNode* const bound = place.node.find(least.value ? "at_least" : "at_most")) {
        metric.bound_at = bound->at;
    }
    if (least.value && most.value && least.unit != most.unit) {
        place.wrong(*place.node.find("at_most"), place.inner("at_most"),
                    "has another unit than \"at_least\", " + in_quotes(least.text));
    } else if (least.value && most.value && *least.value > *most.value) {
        place.wrong(*place.node.find("at_most"), place.inner("at_most"), "is less than \"at_least\"");
    } else if (place.node.find("at_least") == nullptr && place.node.find("at_most") == nullptr) {
        place.wrong(place.node, place.path, "expected \"at_least\", \"at_most\", or both");
    }
    return metric;
}

CompletionExpectation read_completion(const Place& place) {
    WrittenCompletion written;
    read_section(written, place, "completion");
    CompletionExpectation completion;
    completion.request = read_text(place, "completion").value_or("");
    if (const auto status = read_choice(place, "status", kStatusChoices)) {
        completion.status = kStatusChoices.at(*status);
    }
    const auto has = [&](std::string_view key) { return place.node.find(key) != nullptr; };
    if (has("bytes")) {
        completion.bytes = written.bytes;
    }
    if (has("within")) {
        completion.within = written.within;
    }
    if (has("completes")) {
        completion.completes = written.completes;
    }
    if (!written.completes && (has("status") || has("bytes") || has("within"))) {
        place.wrong(*place.node.find("completes"), place.inner("completes"),
                    "without a completion there is no status, bytes or within");
    }
    return completion;
}

MemoryExpectation read_memory(const Place& place) {
    MemoryExpectation memory;
    read_section(memory, place, "memory");
    memory.buffer = read_text(place, "memory").value_or("");
    memory.equals = read_text(place, "equals").value_or("");
    return memory;
}

}  // namespace

void read_expectations(const Place& root, Scenario& scenario) {
    for_each_item(root, "expect", [&](const Place& place) {
        const Section& all = section("expectation");
        const Section* const variant = variant_of(all, place.node);
        if (variant == nullptr) {
            refuse_variant(place, all, "an expectation");
            return;
        }
        Expectation expectation{place.node.at, place.path, {}};
        if (variant->verb == "metric") {
            expectation.what = read_metric(place);
        } else if (variant->verb == "completion") {
            expectation.what = read_completion(place);
        } else if (variant->verb == "order") {
            check_keys(place, *variant, {});
            expectation.what = OrderExpectation{read_texts(place, "order")};
        } else {
            expectation.what = read_memory(place);
        }
        scenario.expect.push_back(std::move(expectation));
    });
}

}  // namespace ndsim::format
