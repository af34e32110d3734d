// Whatever stands in a file, the reader answers with a model or with a ModelError.
#include <random>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "tests/io/models.h"

namespace mubody::testing {
namespace {
using Random = std::mt19937;

std::size_t below(std::size_t n, Random& random) { return random() % std::max<std::size_t>(n, 1); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

std::string change_bytes(std::string text, Random& random) {
  constexpr std::string_view common = "[]{}=\"',.#-+e0123456789 \n\\tni/*()^";
  for (std::size_t k = 1 + below(4, random); k > 0; --k) {
    const std::size_t at = below(text.size(), random);
    const char c = random() % 4 == 0 ? static_cast<char>(random() % 256) : common[below(common.size(), random)];
    switch (random() % 3) {
      case 0: text[at] = c; break;
      case 1: text.insert(at, 1, c); break;
      case 2: text.erase(at, 1 + below(3, random)); break;
    }
  }
  return text;
}

std::string change_lines(const std::string& text, const std::string& other, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  const std::vector<std::string> donors = lines_of(other);
  const std::size_t a = below(lines.size(), random), b = below(lines.size(), random);
  switch (random() % 4) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a)); break;
    case 1: std::swap(lines[a], lines[b]); break;
    case 2: lines[a] = donors[below(donors.size(), random)]; break;
    case 3: lines[a] = lines[a].substr(0, below(lines[a].size() + 1, random)) + lines[b]; break;
  }
  std::string changed;
  for (const std::string& line : lines) changed += line + '\n';
  return changed;
}

// Replaces a value by another, so that most files still parse and are wrong only in meaning.
std::string change_value(std::string text, Random& random) {
  constexpr std::string_view values[] = {"0",          "-1",        "nan",        "inf",        "1e308",
                                         "true",       "[]",        "{}",         "\"\"",       "\"= t\"",
                                         "[[]]",       "\"= 1/0\"", "[1, 2]",     "\"ground\"", "[[0,0],[0]]",
                                         "1979-05-27", "1e-320",    "\"3 m/s/s\""};
  std::vector<std::size_t> equals;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '=') equals.push_back(k);
  const std::size_t begin = equals[below(equals.size(), random)] + 1;
  const std::size_t end = std::min(text.find_first_of(",}\n", begin), text.size());
  return text.replace(begin, end - begin, " " + std::string(values[below(std::size(values), random)]));
}

TEST(fuzz, reader_answers_with_a_model_or_a_model_error) {
  Random random(12345);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::size_t which = below(std::size(testing_models::all), random);
    std::string text(testing_models::all[which]);
    const std::string other(testing_models::all[below(std::size(testing_models::all), random)]);
    switch (round % 3) {
      case 0: text = change_bytes(text, random); break;
      case 1: text = change_lines(text, other, random); break;
      case 2: text = change_value(text, random); break;
    }
    try {
      io::read_study_text(text, "model.toml");
      ++accepted;
    } catch (const ModelError& e) {
      ++refused;
      ASSERT_TRUE(std::string_view(e.what()).starts_with("model.toml")) << e.what() << "\n" << text;
    } catch (const std::exception& e) {
      FAIL() << e.what() << "\n" << text;
    }
  }
  // The changes must not all be harmless, nor all fatal.
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 1500);
}

TEST(fuzz, hostile_texts) {
  const std::string deep(100'000, '['), parentheses(100'000, '('), signs(100'000, '-');
  std::string dots = "a";
  for (int k = 0; k < 100'000; ++k) dots += ".a";
  const std::string body = "bodies.a = {mass = 1}\n";
  for (const std::string& text :
       {body + "x = " + deep, body + dots + " = 1", body + "[" + dots + "]", body + "x = {" + dots + " = 1}",
        body + "[parameters]\na = \"= " + parentheses + "\"", body + "[parameters]\na = \"= " + signs + "1\"",
        body + "[parameters]\na = \"1 " + parentheses + "\"", "bodies.a = {mass = \"1 " + parentheses + "\"}",
        "bodies.a = {mass = \"" + std::string(100'000, '9') + "\"}",
        body + "bodies." + std::string(100'000, 'x') + " = 1", body + std::string(100'000, 'x') + " = 1",
        std::string("\xff\xfe[\0b", 5), std::string("\"\"\""), std::string("'"), std::string("\\")}) {
    try {
      io::read_study_text(text, "model.toml");
      FAIL() << "accepted: " << text.substr(0, 100);
    } catch (const ModelError& e) {
      EXPECT_LT(std::string_view(e.what()).size(), 1000u);
    }
  }
}

TEST(fuzz, overrides) {
  Random random(54321);
  for (int round = 0; round < 2000; ++round) {
    const std::string good[] = {"analysis.end=3", "parameters.L=3", "bodies.rod.mass=2 kg",
                                "joints.A={type='revolute', bodies=['ground','rod'], at=[0,0]}"};
    const std::string setting = change_bytes(good[below(std::size(good), random)], random);
    try {
      io::read_study_text(testing_models::pendulum, "model.toml", {setting});
    } catch (const ModelError&) {
    } catch (const std::exception& e) {
      FAIL() << e.what() << "\n" << setting;
    }
  }
}
}  // namespace
}  // namespace mubody::testing
