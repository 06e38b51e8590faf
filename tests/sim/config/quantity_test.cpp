// SPDX-License-Identifier: Apache-2.0
#include "sim/config/quantity.hpp"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::quantity_test {

using namespace std::chrono_literals;

TEST_CASE("quantity: no two units have one name, so that a unit tells the quantity") {
    std::set<std::string_view> names;
    std::size_t count = 0;
    for (const Quantity quantity : kQuantities) {
        const std::vector<std::string_view> of = unit_names(quantity);
        names.insert(of.begin(), of.end());
        count += of.size();
    }
    CHECK(names.size() == count);
    CHECK(count == 24);  // of times, sizes, rates 5 each, of frequencies 4, of fractions 2, of lengths 3
    CHECK(amount_in("3")->value == 3);
    CHECK_FALSE(amount_in("3")->quantity);
    CHECK(amount_in("2 m")->quantity == Quantity::length);
    CHECK(amount_in("2 m")->value == 2000);
    CHECK(amount_in("5 %")->quantity == Quantity::fraction);
    CHECK_FALSE(amount_in("5 parsec"));
    CHECK_FALSE(amount_in(""));
    CHECK(to_text(Amount{2000, Quantity::length}) == "2 m");
    CHECK(to_text(Amount{2000, std::nullopt}) == "2000");
}

TEST_CASE("quantity: times") {
    CHECK(parse<Picoseconds>("350 ns").value == 350ns);
    CHECK(parse<Picoseconds>("1.5 us").value == 1500ns);
    CHECK(parse<Picoseconds>("80 ps").value == Picoseconds{80});
    CHECK(parse<Picoseconds>("2 ms").value == 2ms);
    CHECK(parse<Picoseconds>("1 s").value == 1s);
    CHECK(parse<Picoseconds>("0 ns").value == 0s);
    CHECK(parse<Picoseconds>("0.001 ns").value == Picoseconds{1});
    CHECK(parse<Picoseconds>("1.5000000000000000000000000000000000000000000000 ns").value == Picoseconds{1500});
    CHECK(parse<Picoseconds>("9223372036854775807 ps").value == Picoseconds::max());
}

TEST_CASE("quantity: sizes, rates, frequencies, fractions and lengths") {
    CHECK(parse<Bytes>("64 B").value == 64_B);
    CHECK(parse<Bytes>("4 KiB").value == 4_KiB);
    CHECK(parse<Bytes>("1.5 MiB").value == 1536_KiB);
    CHECK(parse<Bytes>("1 GiB").value == 1024_MiB);
    CHECK(parse<Bytes>("2 TiB").value == Bytes{std::uint64_t{2} << 40U});
    CHECK(parse<Bytes>("0.000000000931322574615478515625 GiB").value == 1_B);  // 2^-30, exactly
    CHECK(parse<Bandwidth>("100 Gbps").value == 100_Gbps);
    CHECK(parse<Bandwidth>("25.78125 Gbps").value == Bandwidth{25'781'250'000U});
    CHECK(parse<Bandwidth>("1 Mbps").value == 1_Mbps);
    CHECK(parse<Bandwidth>("56 kbps").value == Bandwidth{56'000});
    CHECK(parse<Bandwidth>("10 bps").value == Bandwidth{10});
    CHECK(parse<Bandwidth>("1.6 Tbps").value == 1600_Gbps);
    CHECK(parse<Frequency>("6 M/s").value == 6_Mps);
    CHECK(parse<Frequency>("2.5 k/s").value == Frequency{2'500});
    CHECK(parse<Frequency>("100 /s").value == Frequency{100});
    CHECK(parse<Fraction>("5 %").value == 5_percent);
    CHECK(parse<Fraction>("0.05 %").value == Fraction{500});
    CHECK(parse<Fraction>("50 ppm").value == Fraction{50});
    CHECK(parse<Length>("2 m").value == Length{2'000});
    CHECK(parse<Length>("100 m").value == Length{100'000});
    CHECK(parse<Length>("1.5 km").value == Length{1'500'000});
    CHECK(parse<Length>("30 mm").value == Length{30});
}

TEST_CASE("quantity: the space before the unit is optional, spaces around do not matter") {
    CHECK(parse<Picoseconds>("350ns").value == 350ns);
    CHECK(parse<Picoseconds>("350   ns").value == 350ns);
    CHECK(parse<Picoseconds>(" 350\tns ").value == 350ns);
    CHECK(parse<Fraction>("5%").value == 5_percent);
    CHECK(parse<Frequency>("6M/s").value == 6_Mps);
}

TEST_CASE("quantity: bare numbers and what is no number are refused") {
    const std::string expected = "expected a number and a unit, such as \"1 Gbps\", got ";
    CHECK(parse<Bandwidth>("400").error == expected + "\"400\"");
    for (const char* const text : {"", " ", "Gbps", "fast", "1. Gbps", ".5 Gbps", "+1 Gbps", "-", "1.5", "--1 Gbps"}) {
        const auto result = parse<Bandwidth>(text);
        CHECK_FALSE(result.value);
        CHECK(result.error == expected + "\"" + text + "\"");
    }
    CHECK(parse<Picoseconds>("7").error == "expected a number and a unit, such as \"1 us\", got \"7\"");
}

TEST_CASE("quantity: unknown units are refused, with what was probably meant") {
    CHECK(parse<Bytes>("4 kB").error == "unknown unit \"kB\"; KiB is 1024, MiB is 1024 KiB, GiB is 1024 MiB");
    CHECK(parse<Bytes>("4 MB").error == "unknown unit \"MB\"; KiB is 1024, MiB is 1024 KiB, GiB is 1024 MiB");
    CHECK(parse<Bytes>("4 kib").error == "unknown unit \"kib\"; did you mean \"KiB\"?");
    CHECK(parse<Bandwidth>("1 gbps").error == "unknown unit \"gbps\"; did you mean \"Gbps\"?");
    CHECK(parse<Bandwidth>("1 GB/s").error ==
          "unknown unit \"GB/s\"; rates are in bits per second, eight to a byte: Gbps");
    CHECK(parse<Picoseconds>("1 \u00B5s").error == "unknown unit \"\u00B5s\"; write \"us\"");
    CHECK(parse<Picoseconds>("1 hour").error == "unknown unit \"hour\"; known are ps, ns, us, ms, s");
    CHECK(parse<Picoseconds>("1 2 ns").error == "unknown unit \"2 ns\"; known are ps, ns, us, ms, s");
    CHECK(parse<Picoseconds>("1e3 ns").error == "unknown unit \"e3 ns\"; known are ps, ns, us, ms, s");
}

TEST_CASE("quantity: what is finer than the smallest unit is refused, never rounded") {
    CHECK(parse<Picoseconds>("0.0005 ns").error == "\"0.0005 ns\" is not a multiple of 1 ps");
    CHECK(parse<Picoseconds>("1.5 ps").error == "\"1.5 ps\" is not a multiple of 1 ps");
    CHECK(parse<Bytes>("0.3 KiB").error == "\"0.3 KiB\" is not a multiple of 1 B");
    CHECK(parse<Fraction>("0.00005 %").error == "\"0.00005 %\" is not a multiple of 1 ppm");
    CHECK(parse<Length>("0.0001 m").error == "\"0.0001 m\" is not a multiple of 1 mm");
    CHECK(parse<Picoseconds>("0." + std::string(1'000, '3') + " s").error.ends_with("is not a multiple of 1 ps"));
}

TEST_CASE("quantity: negative and too large values are refused") {
    CHECK(parse<Picoseconds>("-5 ns").error == "\"-5 ns\" is negative");
    CHECK(parse<Bytes>("-0.5KiB").error == "\"-0.5KiB\" is negative");
    CHECK(parse<Picoseconds>("9223372036854775808 ps").error ==
          "\"9223372036854775808 ps\" is too large; at most 9223372.036854775807 s");
    CHECK(parse<Picoseconds>("9223372.036854775808 s").error ==
          "\"9223372.036854775808 s\" is too large; at most 9223372.036854775807 s");
    CHECK(parse<Bytes>("16777216 TiB").error ==
          "\"16777216 TiB\" is too large; at most 18446744073709551615 B");  // 2^24 * 2^40
    CHECK(parse<Bytes>("18446744073709551616 TiB").error.ends_with("at most 18446744073709551615 B"));
    CHECK(parse<Fraction>("429496.7296 %").error == "\"429496.7296 %\" is too large; at most 429496.7295 %");
    CHECK(parse<Bandwidth>(std::string(1'000, '9') + " bps").error.ends_with("18446744.073709551615 Tbps"));
}

TEST_CASE("quantity: values are shown exactly, in the largest unit of which there is one") {
    CHECK(to_text(Picoseconds{350ns}) == "350 ns");
    CHECK(to_text(Picoseconds{1500ns}) == "1.5 us");
    CHECK(to_text(Picoseconds{999}) == "999 ps");
    CHECK(to_text(Picoseconds{1'000'001}) == "1.000001 us");
    CHECK(to_text(Picoseconds{0}) == "0 ps");
    CHECK(to_text(Picoseconds::max()) == "9223372.036854775807 s");
    CHECK(to_text(4_KiB) == "4 KiB");
    CHECK(to_text(1536_KiB) == "1.5 MiB");
    CHECK(to_text(1152_B) == "1.125 KiB");
    CHECK(to_text(1500_B) == "1500 B");  // 1.46484375 KiB is exact, too, but who would write that
    CHECK(to_text(1025_KiB) == "1025 KiB");
    CHECK(to_text(Bandwidth{25'781'250'000U}) == "25.78125 Gbps");
    CHECK(to_text(100_Gbps) == "100 Gbps");
    CHECK(to_text(Frequency{100}) == "100 /s");
    CHECK(to_text(6_Mps) == "6 M/s");
    CHECK(to_text(5_percent) == "5 %");
    CHECK(to_text(Fraction{50}) == "50 ppm");
    CHECK(to_text(Length{2'500}) == "2.5 m");
    CHECK(to_text(Length{1'500'000}) == "1.5 km");
}

TEST_CASE("quantity: what is shown is read back as the same value") {
    Rng rng(1, "quantities");
    for (int i = 0; i < 20'000; ++i) {
        const auto quantity = static_cast<Quantity>(i % 6);
        // Values of all lengths, some of them round.
        std::uint64_t value = rng.next() >> rng.between(0, 63);
        if (rng.chance(50_percent)) {
            value -= value % (std::uint64_t{1} << rng.between(0, 40));
        }
        if (quantity == Quantity::time) {
            value &= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        } else if (quantity == Quantity::fraction) {
            value &= std::numeric_limits<std::uint32_t>::max();
        }
        const auto result = parse(quantity, to_text(quantity, value));
        CAPTURE(to_text(quantity, value), result.error);
        REQUIRE(result.value == value);
    }
}

}  // namespace ndsim::test::quantity_test
