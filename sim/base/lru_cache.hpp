// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndsim {

// LruCache: values by key, in the order of their use. A flat table with linear probing finds a key; a list through the
// entries keeps the order. The owner decides when there are too many, and removes the least recently used.
template <class Value>
class LruCache {
public:
    LruCache() : table_(kFirstSize, kNone) {}

    // The value of a key, which becomes the most recently used; nullptr if it is not here.
    [[nodiscard]] Value* use(std::uint64_t key) {
        if (first_ != kNone && entries_[first_].key == key) {
            return &entries_[first_].value;  // most uses repeat the last one
        }
        const std::uint32_t entry = table_[place_of(key)];
        if (entry == kNone) {
            return nullptr;
        }
        unlink(entry);
        link_first(entry);
        return &entries_[entry].value;
    }
    // The value of a key, without counting as a use.
    [[nodiscard]] const Value* look(std::uint64_t key) const {
        const std::uint32_t entry = table_[place_of(key)];
        return entry == kNone ? nullptr : &entries_[entry].value;
    }
    // A key that is not here yet. References to values may become invalid.
    Value& insert(std::uint64_t key, Value value) {
        if ((size_ + 1) * 2 > table_.size()) {
            grow();
        }
        std::uint32_t entry = free_;
        if (entry == kNone) {
            entry = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back({});
        } else {
            free_ = entries_[entry].next;
        }
        entries_[entry].key = key;
        entries_[entry].value = value;
        table_[place_of(key)] = entry;
        link_first(entry);
        ++size_;
        return entries_[entry].value;
    }
    void erase(std::uint64_t key) {
        if (const std::size_t place = place_of(key); table_[place] != kNone) {
            remove(place);
        }
    }
    // The least recently used value; there must be one.
    [[nodiscard]] Value& oldest() { return entries_[last_].value; }
    // A value that was removed, and its key.
    struct Oldest {
        std::uint64_t key = 0;
        Value value{};
    };
    // Removes the least recently used value; there must be one.
    Oldest take_oldest() {
        const Oldest oldest{entries_[last_].key, entries_[last_].value};
        remove(place_of(oldest.key));
        return oldest;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kFirstSize = 16;  // a power of two, as all later sizes

    // A value in the list of uses.
    struct Entry {
        std::uint64_t key = 0;
        Value value{};
        std::uint32_t previous = kNone;
        std::uint32_t next = kNone;
    };

    [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15ULL) >> 32U) & (table_.size() - 1);
    }
    // The place of the key, or the place where it would go.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
        std::size_t place = home_of(key);
        while (table_[place] != kNone && entries_[table_[place]].key != key) {
            place = (place + 1) & (table_.size() - 1);
        }
        return place;
    }
    void link_first(std::uint32_t entry) {
        entries_[entry].previous = kNone;
        entries_[entry].next = first_;
        (first_ == kNone ? last_ : entries_[first_].previous) = entry;
        first_ = entry;
    }
    void unlink(std::uint32_t entry) {
        const Entry& old = entries_[entry];
        (old.previous == kNone ? first_ : entries_[old.previous].next) = old.next;
        (old.next == kNone ? last_ : entries_[old.next].previous) = old.previous;
    }
    void remove(std::size_t place) {
        const std::uint32_t entry = table_[place];
        unlink(entry);
        entries_[entry].next = free_;
        free_ = entry;
        --size_;
        // Entries displaced by the removed one move back, so that no gap cuts off a key.
        std::size_t gap = place;
        for (std::size_t at = (gap + 1) & (table_.size() - 1); table_[at] != kNone;
             at = (at + 1) & (table_.size() - 1)) {
            const std::size_t home = home_of(entries_[table_[at]].key);
            if (((at - home) & (table_.size() - 1)) >= ((at - gap) & (table_.size() - 1))) {
                table_[gap] = table_[at];
                gap = at;
            }
        }
        table_[gap] = kNone;
    }
    void grow() {
        table_.assign(table_.size() * 2, kNone);
        for (std::uint32_t entry = first_; entry != kNone; entry = entries_[entry].next) {
            table_[place_of(entries_[entry].key)] = entry;
        }
    }

    std::vector<std::uint32_t> table_;
    std::vector<Entry> entries_;
    std::uint32_t first_ = kNone;
    std::uint32_t last_ = kNone;
    std::uint32_t free_ = kNone;
    std::size_t size_ = 0;
};

}  // namespace ndsim
