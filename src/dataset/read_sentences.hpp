#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// read_dataset() of a task, and read_test_rows() of one.
Dataset read_sentences(const std::vector<DomainFile>& files, const Recipe& recipe,
                       const ReadControl& control);
Dataset read_tagged_test(const std::string& path, const Dataset& train,
                         std::uint32_t target, const ReadControl& control);

/// How both open their files.
SentenceOptions sentence_reading(const TaskOptions& task, const ReadControl& control);

/// Dataset::text of the rows of `sentence`, which are the last of `data`; nothing but ""
/// for other domains than the wanted one.
void add_texts(const Sentence& sentence, std::string_view domain,
               std::string_view wanted_domain, Dataset& data);

}  // namespace megadapt
