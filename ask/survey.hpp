#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/measure.hpp"
#include "ktln2/measure/count.hpp"

namespace ktln2::ask {

/// Tensors that are put together while they are counted.
class tensor_pool {
 public:
  void expect() { ++missing_; }
  [[nodiscard]] bool is_complete() const { return missing_ == 0; }
  void add(std::size_t member, const measure::tensor_counts& counts, measure::estimator how);
  /// Forgets the counts.
  void finish(const measure_question& asked);
  [[nodiscard]] measured_group& made() { return made_; }

 private:
  measured_group made_;
  std::size_t missing_ = 0;  ///< members that are not yet in it
  std::unique_ptr<measure::tensor_group> group_ = {};
};

/// All files of a question. They are counted job by job, in any order and by anybody; what comes
/// out is kept in the order of the jobs, so that the answer does not depend on who counted what.
class survey {
 public:
  explicit survey(measure_question asked);

  struct job {
    std::size_t file = 0;
    data::tensor_file::together pass;
    std::uint64_t bytes = 0;  ///< 0 where it is not known
  };
  /// Large ones first: these are worth all threads, one after another.
  [[nodiscard]] const std::vector<job>& jobs() const { return jobs_; }
  [[nodiscard]] std::size_t large_jobs() const { return large_jobs_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  /// One of the tensors of a job.
  struct counted_tensor {
    data::tensor what;
    measure::tensor_counts counts;
    std::vector<measure::requantized_facts> as;
    std::optional<measure::compressed_sizes> zstd;
  };
  struct outcome {
    std::vector<counted_tensor> tensors = {};
    std::string failure = {};  ///< what is wrong with the file, instead
  };
  [[nodiscard]] outcome count(const job& what, unsigned threads, const stop_token& stop,
                              const measure::bytes_counted& told = {}) const;
  void keep(const job& what, const outcome& found);

  /// An outcome for another process, and out of it again.
  [[nodiscard]] std::string as_bytes(const outcome& found) const;
  [[nodiscard]] outcome from_bytes(const job& what, std::string_view text) const;

  /// What was kept.
  measure_answer finish(bool is_complete);

 private:
  using group_key = std::pair<std::string, std::string>;  ///< pattern and type

  void open(const std::string& path);
  [[nodiscard]] bool must_be_read_twice(const data::tensor_file& file) const;
  static group_key key_of(const data::tensor& one) {
    return {name_pattern(one.known_as()), one.type.name};
  }
  [[nodiscard]] std::vector<std::vector<measure::requantized_facts>> stored_otherwise(
      const job& what, const std::vector<measure::tensor_counts>& counts, unsigned threads,
      const stop_token& stop) const;
  [[nodiscard]] std::optional<measure::compressed_sizes> compressed(const job& what,
                                                                    const stop_token& stop) const;

  measure_question asked_;
  std::vector<std::unique_ptr<data::tensor_file>> files_;
  std::vector<std::size_t> offsets_;  ///< of a file's first tensor among all
  std::vector<job> jobs_;
  std::size_t large_jobs_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::unique_ptr<measured_tensor>> found_;
  std::map<group_key, tensor_pool> by_pattern_;
  std::map<std::string, tensor_pool> by_type_;
  measure_answer made_;
};

}  // namespace ktln2::ask
