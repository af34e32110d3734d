#include "mubody/model/utf8.h"

namespace mubody {
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (bytes == 0) return {};
  // The second byte tells overlong forms, halves of surrogates and what lies beyond U+10FFFF.
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if (k >= text.size() || byte(k) < low || byte(k) > high) return {{}, k};
    code = code << 6 | (byte(k) & 0x3FU);
    low = 0x80, high = 0xBF;
  }
  return {code, bytes};
}

bool steers(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::optional<std::size_t> find_odd_character(std::string_view text, bool lines) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) {  // nearly all of a model
      ++at;
      continue;
    }
    const Character c = first_character(text.substr(at));
    const bool allowed = lines && (byte == '\n' || byte == '\r' || byte == '\t');
    if (!c.code || (steers(*c.code) && !allowed)) return at;
    at += c.bytes;
  }
  return {};
}
}  // namespace mubody
