#include "mubody/text/json.h"

#include <charconv>
#include <cmath>
#include <variant>

#include <nlohmann/json.hpp>

#include "mubody/model/escape.h"

namespace mubody::io {
namespace {
using Array = std::vector<Json>;
using Object = std::vector<Json::Member>;
}  // namespace

struct Json::Data {
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> is;
};

namespace {
void write_string(std::string_view text, std::string& out) {
  out += '"';
  out += for_json(text);
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

/// Takes what the parser finds, value by value, so that neither depth nor the number of members takes it long.
class Builder {
 public:
  std::optional<Json> whole;

  bool null() { return put({}); }
  bool boolean(bool x) { return put(x); }
  bool number_integer(std::int64_t x) { return put(x); }
  bool number_unsigned(std::uint64_t x) { return put(x); }
  bool number_float(double x, const std::string&) { return put(x); }
  bool string(std::string& x) { return put(std::move(x)); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool key(std::string& name) {
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

 private:
  static constexpr std::size_t deepest = 64;  // our own files go to 8
  struct Open {
    Json value;
    std::string key{};  // of the member that comes next
  };

  bool open(Json value) {
    if (open_.size() == deepest) return false;
    open_.push_back({std::move(value)});
    return true;
  }
  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }
  bool put(Json value) {
    if (open_.empty())
      whole = std::move(value);
    else if (open_.back().value.is_object())
      open_.back().value.add(std::move(open_.back().key), std::move(value));
    else
      open_.back().value.push_back(std::move(value));
    return true;
  }
  std::vector<Open> open_;
};
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
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return {};
  return std::move(builder.whole);
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

void Json::add(std::string name, Json value) {
  if (!own_) *this = object();
  std::get<Object>(own_->is).push_back({std::move(name), std::move(value)});
}

void Json::update(const Json& other) {
  for (const Member& member : other.members()) (*this)[member.name] = member.value;
}

void Json::erase(std::string_view key) {
  if (is_object()) std::erase_if(std::get<Object>(own_->is), [&](const Member& m) { return m.name == key; });
}
}  // namespace mubody::io
