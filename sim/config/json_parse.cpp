// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/config/json.hpp"

namespace ndsim {

namespace {

// How far nlohmann's parser has read.
struct Progress {
    std::size_t consumed = 0;
    bool met_end = false;
};

// An iterator over the text that follows the parser, which does not tell the positions of tokens.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, Progress& progress) : at_(at), progress_(&progress) {}

    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++progress_->consumed;
        return *this;
    }
    bool operator==(const CountingIterator& other) const {
        progress_->met_end = at_ == other.at_;
        return progress_->met_end;
    }

private:
    const char* at_;
    Progress* progress_;
};

// The parser skips a byte order mark; it has no column.
std::size_t bom_length(std::string_view text) {
    return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

// Line and column of ever later places in a text.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text), offset_(bom_length(text)) {}

    Position at(std::size_t offset) {
        for (; offset_ < offset; ++offset_) {
            if (text_[offset_] == '\n') {
                ++position_.line;
                position_.column = 1;
            } else if ((static_cast<unsigned char>(text_[offset_]) & 0xC0U) != 0x80U) {  // a UTF-8 character begins
                ++position_.column;
            }
        }
        return position_;
    }

private:
    std::string_view text_;
    std::size_t offset_;
    Position position_{1, 1};
};

// The start of the next token, searched from the end of the last one: after white space, comments and separators.
std::size_t token_start(std::string_view text, std::size_t from) {
    constexpr auto npos = std::string_view::npos;
    for (;;) {
        from = std::min(text.find_first_not_of(" \t\r\n,:", from), text.size());
        std::size_t end = npos;
        if (text.substr(from, 2) == "//") {
            end = std::min(text.find_first_of("\r\n", from), text.size());
        } else if (text.substr(from, 2) == "/*" && text.find("*/", from + 2) != npos) {
            end = text.find("*/", from + 2) + 2;
        }
        if (end == npos) {
            return from;
        }
        from = end;
    }
}

void replace(std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t at = text.find(from); at != std::string::npos) {
        text.replace(at, from.size(), to);
    }
}

// nlohmann's sentence without its error number, position and grammar.
std::string in_words(std::string_view what) {
    for (const std::string_view lead : {"] ", " - "}) {
        if (const std::size_t at = what.find(lead); at != std::string_view::npos) {
            what.remove_prefix(at + lead.size());
        }
    }
    std::string words(what.substr(0, what.find("; last read")));
    replace(words, "; expected '[', '{', or a literal", "; expected a value");
    replace(words, "; expected string literal", "; expected a name in double quotes");
    replace(words, "; expected '}'", "; expected ',' or '}'");
    replace(words, "; expected ']'", "; expected ',' or ']'");
    replace(words, "; expected end of input", "; expected the end of the file");
    replace(words, "end of input", "end of the file");
    replace(words, "invalid literal", "neither a value nor punctuation");
    replace(words, " literal", "");
    return words;
}

std::string hint_for(const std::string& words, std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", at - 1);
    const bool after_comma = before != std::string_view::npos && text[before] == ',';
    if (after_comma && (text.substr(at, 1) == "}" || text.substr(at, 1) == "]")) {
        return "no comma after the last entry";
    }
    return words.starts_with("neither") ? "text needs double quotes" : "";
}

// Builds the tree from what nlohmann's parser reports.
class TreeBuilder {
public:
    TreeBuilder(std::string_view text, const Progress& progress, Problems& problems)
        : text_(text), progress_(progress), problems_(problems), cursor_(text), token_end_(bom_length(text)) {}

    [[nodiscard]] JsonNode& root() { return root_; }

    // Called by the parser; false ends it.
    bool null() {
        add(JsonKind::null);
        return true;
    }
    bool boolean(bool value) {
        add(JsonKind::boolean).flag = value;
        return true;
    }
    bool number_integer(std::int64_t value) {
        const auto bits = static_cast<std::uint64_t>(value);
        return number_unsigned(value < 0 ? 0 - bits : bits, value < 0);
    }
    bool number_unsigned(std::uint64_t magnitude, bool negative = false) {
        JsonNode& node = add(JsonKind::integer);
        node.magnitude = magnitude;
        node.negative = negative;
        return true;
    }
    bool number_float(double, const std::string& written) {
        add(JsonKind::real).text = written;
        return true;
    }
    bool string(std::string& value) {
        add(JsonKind::string).text = std::move(value);
        return true;
    }
    bool binary(std::vector<std::uint8_t>&) { return false; }  // never in a text
    bool start_object(std::size_t) { return open(JsonKind::object); }
    bool start_array(std::size_t) { return open(JsonKind::array); }
    bool key(std::string& name) {
        const Position at = take_token(progress_.consumed);
        open_.back()->members.push_back({std::move(name), at, {}});
        return true;
    }
    bool end_object() {
        report_duplicates();
        return end_array();
    }
    bool end_array() {
        take_token(progress_.consumed);
        open_.pop_back();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const std::exception& error);

private:
    static constexpr std::size_t kDeepest = 100;

    // The start of the token that the parser has just read and that ends at `end`.
    Position take_token(std::size_t end) {
        const std::size_t start = token_start(text_, token_end_);
        token_end_ = end;
        return cursor_.at(start);
    }
    JsonNode& add(JsonKind kind);
    bool open(JsonKind kind);
    void report_duplicates();
    [[nodiscard]] std::string path() const;  // of the innermost open list or object

    std::string_view text_;
    const Progress& progress_;
    Problems& problems_;
    Cursor cursor_;
    std::size_t token_end_;
    JsonNode root_;
    std::vector<JsonNode*> open_;  // from the root to the innermost; their siblings no longer grow
};

JsonNode& TreeBuilder::add(JsonKind kind) {
    JsonNode* node = &root_;
    if (!open_.empty()) {
        JsonNode& parent = *open_.back();
        node = parent.is(JsonKind::object) ? &parent.members.back().value : &parent.items.emplace_back();
    }
    // To find a number's end the parser must read one character more, if there is one.
    const bool number = kind == JsonKind::integer || kind == JsonKind::real;
    node->kind = kind;
    node->at = take_token(progress_.consumed - (number && !progress_.met_end ? 1 : 0));
    return *node;
}

bool TreeBuilder::open(JsonKind kind) {
    JsonNode& node = add(kind);
    if (open_.size() == kDeepest) {
        problems_.add(node.at, {}, "lists and objects are nested more than " + std::to_string(kDeepest) + " deep");
        return false;
    }
    open_.push_back(&node);
    return true;
}

std::string TreeBuilder::path() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
        const JsonNode& node = *open_[i];
        if (node.is(JsonKind::array)) {
            path += "[" + std::to_string(node.items.size() - 1) + "]";
        } else {
            path += (path.empty() ? "" : ".") + node.members.back().key;
        }
    }
    return path;
}

void TreeBuilder::report_duplicates() {
    std::vector<const JsonMember*> sorted;
    for (const JsonMember& member : open_.back()->members) {
        sorted.push_back(&member);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
    const JsonMember* first = nullptr;
    for (const JsonMember* const member : sorted) {
        if (first == nullptr || member->key != first->key) {
            first = member;
        } else {
            problems_.add(member->at, path(), "duplicate key " + in_quotes(member->key),
                          "first at " + to_text(first->at));
        }
    }
}

bool TreeBuilder::parse_error(std::size_t, const std::string&, const std::exception& error) {
    const std::string words = in_words(error.what());
    const std::size_t start = token_start(text_, token_end_);
    // nlohmann 3.11.3 has other words for a text without a character.
    if (!text_.empty() && !words.starts_with("unexpected end of the file")) {
        // An extra separator is not skipped: it was read last.
        const std::size_t at = std::min(start, progress_.consumed - 1);
        problems_.add(cursor_.at(at), {}, words, hint_for(words, text_, at));
    } else if (open_.empty()) {
        problems_.add({1, 1}, {}, "the file is empty");
    } else {
        const JsonNode& inner = *open_.back();
        problems_.add(
            cursor_.at(text_.size()), {}, words,
            std::string(inner.is(JsonKind::array) ? "'['" : "'{'") + " at " + to_text(inner.at) + " is not closed");
    }
    return false;
}

}  // namespace

std::optional<JsonNode> parse_json(std::string_view text, Problems& problems) {
    // The parser takes a zero byte for the end and ignores everything behind it.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        problems.add(Cursor(text).at(zero), {}, "a zero byte: this is not a UTF-8 text");
        return std::nullopt;
    }
    Progress progress;
    TreeBuilder builder(text, progress, problems);
    const CountingIterator begin(text.data(), progress);
    const CountingIterator end(text.data() + text.size(), progress);
    constexpr auto kFormat = nlohmann::json::input_format_t::json;
    if (!nlohmann::json::sax_parse(begin, end, &builder, kFormat, /*strict=*/true, /*ignore_comments=*/true)) {
        return std::nullopt;
    }
    return std::move(builder.root());
}

}  // namespace ndsim
