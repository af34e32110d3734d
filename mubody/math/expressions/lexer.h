#pragma once
// The words of a formula: numbers, names and signs, and where each stands.
#include <charconv>
#include <limits>
#include <string_view>

#include "mubody/math/characters.h"

namespace mubody::formula {
struct Token {
  enum Kind { number, name, symbol, unknown, end } kind = end;
  std::string_view text;
  std::size_t at = 0;
  double value = 0;
};

inline bool continues_name(char c) { return begins_name(c) || is_digit(c); }

/// Reads one word at a time; anything else is left for the parser to refuse.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    if (at_ == text_.size()) return {Token::end, {}, at_};
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (begins_name(c)) {
      std::size_t n = 1;
      while (continues_name(peek(n)) || (peek(n) == '.' && continues_name(peek(n + 1)))) ++n;
      return token(Token::name, n);
    }
    for (const std::string_view two : {"<=", ">=", "==", "!="})
      if (text_.substr(at_, 2) == two) return token(Token::symbol, 2);
    if (std::string_view("+-*/^(),<>").find(c) != std::string_view::npos) return token(Token::symbol, 1);
    std::size_t n = 1;  // a character beyond ASCII has several bytes
    while ((static_cast<unsigned char>(peek(n)) & 0xC0) == 0x80) ++n;
    return token(Token::unknown, n);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token token(Token::Kind kind, std::size_t length) {
    const Token t{kind, text_.substr(at_, length), at_};
    at_ += length;
    return t;
  }

  Token number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const std::size_t length = static_cast<std::size_t>(stop - begin);
    if (error != std::errc{}) value = std::numeric_limits<double>::infinity();
    Token t = token(Token::number, length);
    t.value = value;
    return t;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};
}  // namespace mubody::formula
