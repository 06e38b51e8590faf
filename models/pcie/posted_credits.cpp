// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/posted_credits.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kCreditUnit = 16;  // bytes of data for one posted-data credit

std::uint64_t data_credits(std::uint32_t bytes) {
    return ceil_div(bytes, kCreditUnit);
}

}  // namespace

PostedCredits::PostedCredits(Unit& owner, const PcieParams& params)
    : headers_(owner, kHeadersPool, params.posted_headers), data_(owner, kDataPool, params.posted_data) {}

PostedCredits::Ready PostedCredits::ready(std::uint32_t tlps, std::uint32_t bytes, Picoseconds now) {
    const Picoseconds headers_at = headers_.when_available(tlps, now).value_or(now);
    const Picoseconds data_at = data_.when_available(data_credits(bytes), now).value_or(now);
    return data_at > headers_at ? Ready{data_at, true} : Ready{headers_at, false};
}

void PostedCredits::book(Picoseconds at, std::uint32_t tlps, std::uint32_t bytes, Picoseconds back) {
    headers_.hold(tlps, {at, back});
    data_.hold(data_credits(bytes), {at, back});
    booked_until_ = at;
}

}  // namespace ndsim
