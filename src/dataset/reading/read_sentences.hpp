#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// read_dataset() and read_test_rows() for a recipe with a task.
Dataset read_sentences(const std::vector<DomainFile>& files, const Recipe& recipe,
                       const ReadControl& control);
Dataset read_tagged_test(const std::string& path, const Dataset& train,
                         std::uint32_t target, const ReadControl& control);
/// read_unlabelled() for a recipe with a task, on one rank.
Dataset read_untagged(const std::vector<std::string>& paths, const Dataset& train,
                      std::uint32_t target, const ReadControl& control,
                      UnlabelledNotes& notes);

/// The options with which these functions open their files.
SentenceOptions sentence_reading(const TaskOptions& task, const ReadControl& control);

/// Appends Dataset::text for the rows of `sentence`, which are the last rows of `data`. The
/// text is "" when `domain` is not the wanted one.
void add_texts(const Sentence& sentence, std::string_view domain,
               std::string_view wanted_domain, Dataset& data);

}  // namespace megadapt
