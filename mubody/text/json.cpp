#include "mubody/text/json.h"

#include <charconv>
#include <cmath>
#include <variant>

#include <nlohmann/json.hpp>

namespace mubody::io {
namespace {
using Array = std::vector<Json>;
using Object = std::vector<Json::Member>;
}  // namespace

struct Json::Data {
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> is;
};

namespace {
// Whether byte k continues the UTF-8 sequence at `first`, which must not be overlong or a surrogate half.
bool continues(std::string_view text, std::size_t first, std::size_t k) {
  const auto byte = static_cast<unsigned char>(text[first + k]), lead = static_cast<unsigned char>(text[first]);
  unsigned char low = 0x80, high = 0xBF;
  if (k == 1 && lead == 0xE0) low = 0xA0;
  if (k == 1 && lead == 0xED) high = 0x9F;
  if (k == 1 && lead == 0xF0) low = 0x90;
  if (k == 1 && lead == 0xF4) high = 0x8F;
  return byte >= low && byte <= high;
}

void write_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t k = 0; k < text.size();) {
    const auto c = static_cast<unsigned char>(text[k]);
    const std::size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    std::size_t good = length == 0 ? 0 : 1;
    while (good > 0 && good < length && k + good < text.size() && continues(text, k, good)) ++good;
    if (good == 0 || good < length) {
      out += "\xEF\xBF\xBD";
      k += std::max<std::size_t>(good, 1);
      continue;
    }
    constexpr std::string_view special = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
    if (const std::size_t at = special.find(text[k]); at != special.npos)
      out += '\\', out += letters[at];
    else if (c < 0x20)
      out += "\\u00", out += digits[c >> 4], out += digits[c & 15];
    else
      out.append(text, k, length);
    k += length;
  }
  out += '"';
}

template <class Whole> void write_whole(Whole x, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), x).ptr);
}

void write_number(double x, std::string& out) {
  if (!std::isfinite(x)) {
    out += "null";
    return;
  }
  char digits[64];
  out.append(digits, nlohmann::detail::to_chars(std::begin(digits), std::end(digits), x));
}

// A line break between two elements, before the first and after the last.
void break_line(int indent, int depth, std::string& out) {
  if (indent < 0) return;
  out += '\n';
  out.append(std::size_t(indent) * std::size_t(depth), ' ');
}

Json json_of(const nlohmann::ordered_json& from) {
  switch (from.type()) {
    case nlohmann::json::value_t::boolean: return from.get<bool>();
    case nlohmann::json::value_t::number_integer: return from.get<std::int64_t>();
    case nlohmann::json::value_t::number_unsigned: return from.get<std::uint64_t>();
    case nlohmann::json::value_t::number_float: return from.get<double>();
    case nlohmann::json::value_t::string: return from.get_ref<const std::string&>();
    case nlohmann::json::value_t::array: {
      Json all = Json::array();
      for (const auto& x : from) all.push_back(json_of(x));
      return all;
    }
    case nlohmann::json::value_t::object: {
      Json all = Json::object();
      for (const auto& [name, x] : from.items()) all[name] = json_of(x);
      return all;
    }
    default: return nullptr;
  }
}
}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(double x) : own_(new Data{x}) {}
Json::Json(const char* text) : own_(new Data{std::string(text)}) {}
Json::Json(std::string text) : own_(new Data{std::move(text)}) {}
Json::Json(std::string_view text) : own_(new Data{std::string(text)}) {}
void Json::take_bool(bool x) { own_ = std::make_unique<Data>(Data{x}); }
void Json::take_signed(std::int64_t x) { own_ = std::make_unique<Data>(Data{x}); }
void Json::take_unsigned(std::uint64_t x) { own_ = std::make_unique<Data>(Data{x}); }

Json::Json(const Json& other) : own_(other.own_ ? std::make_unique<Data>(*other.own_) : nullptr) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json other) noexcept {
  own_.swap(other.own_);
  return *this;
}
Json::~Json() = default;

Json Json::array(std::initializer_list<Item> all) {
  Array list;
  for (const Item& x : all) list.push_back(std::move(x.own_));
  Json json;
  json.own_ = std::make_unique<Data>(Data{std::move(list)});
  return json;
}

Json Json::object() {
  Json json;
  json.own_ = std::make_unique<Data>(Data{Object{}});
  return json;
}

Json::Json(std::initializer_list<Item> all) {
  bool pairs = true;
  for (const Item& x : all) {
    const Array* const pair = x.own_.own_ ? std::get_if<Array>(&x.own_.own_->is) : nullptr;
    pairs = pairs && pair && pair->size() == 2 && (*pair)[0].is_string();
  }
  if (!pairs) {
    *this = array(all);
    return;
  }
  *this = object();
  for (const Item& x : all) {
    Array& pair = std::get<Array>(x.own_.own_->is);
    (*this)[pair[0].text()] = std::move(pair[1]);
  }
}

std::optional<Json> Json::parse(std::string_view text) {
  const auto parsed = nlohmann::ordered_json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return {};
  return json_of(parsed);
}

std::string Json::dump(int indent) const {
  std::string out;
  write(indent, 0, out);
  return out;
}

void Json::write(int indent, int depth, std::string& out) const {
  const auto each = [&](const auto& all, char open, char close, const auto& one) {
    out += open;
    for (const auto& x : all) {
      if (&x != all.data()) out += ',';
      break_line(indent, depth + 1, out);
      one(x);
    }
    if (!all.empty()) break_line(indent, depth, out);
    out += close;
  };
  if (!own_) {
    out += "null";
  } else if (const bool* const truth = std::get_if<bool>(&own_->is)) {
    out += *truth ? "true" : "false";
  } else if (const auto* const whole = std::get_if<std::int64_t>(&own_->is)) {
    write_whole(*whole, out);
  } else if (const auto* const count = std::get_if<std::uint64_t>(&own_->is)) {
    write_whole(*count, out);
  } else if (const double* const number = std::get_if<double>(&own_->is)) {
    write_number(*number, out);
  } else if (is_string()) {
    write_string(text(), out);
  } else if (is_object()) {
    each(members(), '{', '}', [&](const Member& x) {
      write_string(x.name, out);
      out += indent < 0 ? ":" : ": ";
      x.value.write(indent, depth + 1, out);
    });
  } else {
    each(elements(), '[', ']', [&](const Json& x) { x.write(indent, depth + 1, out); });
  }
}

bool Json::is_object() const { return own_ && std::holds_alternative<Object>(own_->is); }
bool Json::is_string() const { return own_ && std::holds_alternative<std::string>(own_->is); }
std::size_t Json::size() const { return std::max(members().size(), elements().size()); }

std::span<const Json::Member> Json::members() const {
  if (const Object* const all = own_ ? std::get_if<Object>(&own_->is) : nullptr) return *all;
  return {};
}

std::span<const Json> Json::elements() const {
  if (const Array* const all = own_ ? std::get_if<Array>(&own_->is) : nullptr) return *all;
  return {};
}

const std::string& Json::text() const {
  static const std::string none;
  return is_string() ? std::get<std::string>(own_->is) : none;
}

Json& Json::operator[](std::string_view key) {
  if (!own_) *this = object();
  Object& all = std::get<Object>(own_->is);
  for (Member& member : all)
    if (member.name == key) return member.value;
  return all.emplace_back(Member{std::string(key), {}}).value;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json none;
  for (const Member& member : members())
    if (member.name == key) return member.value;
  return none;
}

Json& Json::operator[](std::size_t k) { return std::get<Array>(own_->is)[k]; }

void Json::push_back(Json x) {
  if (!own_) *this = array();
  std::get<Array>(own_->is).push_back(std::move(x));
}

void Json::update(const Json& other) {
  for (const Member& member : other.members()) (*this)[member.name] = member.value;
}

void Json::erase(std::string_view key) {
  if (is_object()) std::erase_if(std::get<Object>(own_->is), [&](const Member& m) { return m.name == key; });
}
}  // namespace mubody::io
