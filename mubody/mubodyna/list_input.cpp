#include "mubody/mubodyna/list_input.h"

#include <algorithm>
#include <charconv>

#include "mubody/math/characters.h"

namespace mubody::io::mubodyna {
namespace {
// "3*0" is divided at the star, if what stands before it is a count.
void divide(Item& item) {
  const std::size_t star = item.text.find('*');
  constexpr std::size_t most_digits = 9;
  if (star == 0 || star == std::string_view::npos || star > most_digits) return;
  const std::string_view count = item.text.substr(0, star);
  std::size_t times = 0;
  if (!std::ranges::all_of(count, is_digit)) return;
  std::from_chars(count.data(), count.data() + count.size(), times);
  if (times == 0) return;
  item.times = times;
  item.text = item.text.substr(star + 1);
}
}  // namespace

void Record::append(Item item) {
  divide(item);
  size_ += item.times;
  items_.push_back(item);
}

void Record::add(const Line& line) {
  for (const Word& word : line.words) {
    std::size_t begin = 0;
    while (!ended_ && begin < word.text.size()) {
      const std::size_t stop = std::min(word.text.find_first_of(",/", begin), word.text.size());
      const int column = word.column + static_cast<int>(begin);
      if (stop > begin) {
        append({word.text.substr(begin, stop - begin), line.number, column});
        comma_ = false;
      }
      if (stop < word.text.size() && word.text[stop] == ',') {
        if (comma_) append({{}, line.number, column});
        comma_ = true;
        tight_comma_ = tight_comma_ || (stop > 0 && stop + 1 < word.text.size() &&
                                        is_digit(word.text[stop - 1]) && is_digit(word.text[stop + 1]));
      }
      ended_ = stop < word.text.size() && word.text[stop] == '/';
      begin = stop + 1;
    }
  }
}

const Item* Record::at(std::size_t place) const {
  for (const Item& item : items_) {
    if (place < item.times) return &item;
    place -= item.times;
  }
  return nullptr;
}

std::vector<Item> leading_numbers(const Line& line) {
  Record record;
  record.add(line);
  std::vector<Item> numbers = record.items();
  const auto is_word = [](const Item& i) { return !i.text.empty() && !fortran_number(i.text); };
  numbers.erase(std::ranges::find_if(numbers, is_word), numbers.end());
  return numbers;
}
}  // namespace mubody::io::mubodyna
