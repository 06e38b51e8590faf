// SPDX-License-Identifier: Apache-2.0
#include "models/host/region_table.hpp"

#include <algorithm>
#include <span>

namespace ndsim {

bool HostRegion::holds(Address address, std::uint64_t bytes) const {
    return raw(address) >= raw(base) && raw(address) - raw(base) <= length &&
           bytes <= length - (raw(address) - raw(base));
}

MappedRegion& RegionTable::add(std::byte* data, std::uint64_t length, std::uint64_t page_offset) {
    const Address base = next_ + page_offset;
    next_ = next_ + ((page_offset + length + kPage - 1) / kPage + 1) * kPage;
    places_.push_back({base, std::make_unique<MappedRegion>(MappedRegion{{base, data, length}, nullptr, nullptr})});
    if (is_index_sparse()) {
        index_all();
    } else {
        index(places_.size() - 1);
    }
    return *places_.back().mapped;
}

bool RegionTable::is_index_sparse() const {
    return !places_.empty() && block_of(places_.back().base) > 64 + 4 * places_.size();
}

void RegionTable::index(std::size_t place) {
    before_.resize(std::max<std::uint64_t>(before_.size(), block_of(places_[place].base) + 1),
                   static_cast<std::uint32_t>(place));
}

void RegionTable::index_all() {
    while (is_index_sparse()) {
        ++block_bits_;
    }
    before_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        index(i);
    }
}

std::size_t RegionTable::up_to(Address address) const {
    if (raw(address) < kFirst) {
        return 0;
    }
    const std::uint64_t block = block_of(address);
    const std::size_t first = before(block);
    const std::span<const Place> in_block(places_.data() + first, before(block + 1) - first);
    const auto behind = std::ranges::upper_bound(in_block, address, {}, &Place::base);
    return first + static_cast<std::size_t>(behind - in_block.begin());
}

MappedRegion* RegionTable::find(Address address, std::uint64_t length) const {
    const std::size_t places = up_to(address);
    MappedRegion* const mapped = places == 0 ? nullptr : places_[places - 1].mapped.get();
    return mapped != nullptr && mapped->region.holds(address, length) ? mapped : nullptr;
}

void RegionTable::remove(const MappedRegion& mapped) {
    places_[up_to(mapped.region.base) - 1].mapped.reset();
    if (++removed_ > places_.size() / 2) {
        std::erase_if(places_, [](const Place& place) { return place.mapped == nullptr; });
        removed_ = 0;
        index_all();
    }
}

}  // namespace ndsim
