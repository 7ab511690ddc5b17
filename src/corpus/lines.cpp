#include "corpus/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/limits.hpp"
#include "corpus/text/utf8.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string file,
                       std::size_t buffer_size)
    : source_(std::move(source)),
      file_(std::move(file)),
      buffer_(std::max<std::size_t>(buffer_size, 1) + kPadding) {}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;  // bytes from begin_ without a newline; each is searched once
  std::size_t line_end = 0;
  std::size_t following = 0;
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* newline = std::memchr(start + searched, '\n', end_ - begin_ - searched);
    if (newline) {
      line_end =
          static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
      following = line_end + 1;
      break;
    }
    searched = end_ - begin_;
    if (searched > kLongestLine) fail_long_line();
    if (!refill()) {
      if (begin_ == end_) return false;
      line_end = following = end_;
      break;
    }
  }
  ++line_number_;
  line = from(begin_, line_end);
  stored_ = from(begin_, following);
  if (bad_ < following) {
    refused_ = following;
    fail_bad_byte(line);
  }
  begin_ = following;
  if (line_number_ == 1) drop_mark(line);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool LineReader::skip_bad_line() {
  if (refused_ == 0) return false;
  begin_ = checked_ = refused_;
  refused_ = 0;
  bad_ = kNowhere;
  check_new_text();
  return true;
}

std::string_view LineReader::peek(std::size_t size) {
  while (end_ - begin_ < size) {
    const bool whole_line = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
    if ((whole_line && source_->may_wait()) || !refill()) break;
  }
  std::string_view text = from(begin_, end_);
  if (line_number_ == 0) drop_mark(text);
  return text;
}

// The part of a file that a rank reads may begin with the same bytes inside the text.
void LineReader::drop_mark(std::string_view& text) const {
  if (source_->begins_file() && text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
}

bool LineReader::refill() {
  if (ended_) return false;
  if (begin_ > 0) move_to_front();
  if (end_ + kPadding == buffer_.size()) buffer_.resize(2 * end_ + kPadding);
  const std::size_t got =
      source_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  ended_ = got == 0;
  end_ += got;
  check_new_text();
  return !ended_;
}

void LineReader::move_to_front() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  checked_ -= begin_;
  if (bad_ != kNowhere) bad_ -= begin_;
  begin_ = 0;
}

// Checks the whole buffer at once, which is much faster than line by line. A bad line is
// refused only when next() reaches it, so that errors come in file order.
void LineReader::check_new_text() {
  if (bad_ != kNowhere) return;
  const TextCheck check = check_text(from(checked_, end_));
  checked_ += check.good;
  if (check.bad || (ended_ && checked_ < end_)) bad_ = checked_;
}

void LineReader::fail_long_line() const {
  throw InputError(
      {file_, lines_before() + line_number_ + 1, readable(from(begin_, begin_ + 200))},
      fmt::format("the line is longer than {} MiB", kLongestLine >> 20),
      "check that this is text with a row per line");
}

void LineReader::fail_bad_byte(std::string_view line) const {
  const std::size_t at = bad_ - begin_;
  const Place place{file_, lines_before() + line_number_, readable(line.substr(0, 200))};
  const auto byte = static_cast<unsigned char>(buffer_[bad_]);
  if (byte == 0) {
    throw InputError(
        place, fmt::format("byte {} of the line is NUL", at + 1),
        "this is not text; if it is UTF-16, convert it: iconv -f UTF-16 -t UTF-8");
  }
  throw InputError(
      place, fmt::format("byte {} of the line (0x{:02x}) is not valid UTF-8", at + 1, byte),
      "convert the file, for example: iconv -f ISO-8859-1 -t UTF-8");
}

}  // namespace megadapt::corpus
