#pragma once

#include <string>
#include <vector>

#include "output.hpp"

/// How each answer looks: for a person, and as rows. JSON is the answer's own.
namespace ktln2::ask {
struct format_answer;
struct quantize_answer;
struct law_answer;
struct pair_law_answer;
class entropy_answer;
class pair_answer;
class row_answer;
class estimate_answer;
struct row_law_answer;
struct estimate_law_answer;
class codebook_answer;
struct codebook_format_answer;
struct codebook_quantize_answer;
class number_answer;
struct number_format_answer;
struct catalogue_answer;
struct number_quantize_answer;
struct compare_answer;
struct measure_answer;
struct fit_answer;
struct fit_columns_answer;
class block_answer;
struct block_format_answer;
struct block_quantize_answer;
class cost_answer;
struct many_cost_answer;
struct streaming_answer;
struct scaling_answer;
struct many_scaling_answer;
struct mismatch_answer;
struct islands_answer;
struct markov_answer;
struct cmos_answer;
struct simulate_answer;
struct many_simulate_answer;
struct tour_answer;
struct entropy_term;
}  // namespace ktln2::ask

namespace ktln2::cli {

/// Parts of an answer that several have.
std::string text_of(const std::vector<ask::entropy_term>& terms);

std::string text_of(const ask::format_answer& made);
std::string text_of(const ask::quantize_answer& made);
std::string text_of(const ask::law_answer& made);
std::string text_of(const ask::pair_law_answer& made);
std::string text_of(const ask::entropy_answer& made);
std::string text_of(const ask::pair_answer& made);
std::string text_of(const ask::row_answer& made);
std::string text_of(const ask::estimate_answer& made);
std::string text_of(const ask::row_law_answer& made);
std::string text_of(const ask::estimate_law_answer& made);
std::string text_of(const ask::codebook_answer& made);
std::string text_of(const ask::codebook_format_answer& made);
std::string text_of(const ask::codebook_quantize_answer& made);
std::string text_of(const ask::number_answer& made);
std::string text_of(const ask::number_format_answer& made);
std::string text_of(const ask::catalogue_answer& made);
std::string text_of(const ask::number_quantize_answer& made);
std::string text_of(const ask::compare_answer& made);
std::string text_of(const ask::measure_answer& made);
std::string text_of(const ask::fit_answer& made);
std::string text_of(const ask::fit_columns_answer& made);
std::string text_of(const ask::block_answer& made);
std::string text_of(const ask::block_format_answer& made);
std::string text_of(const ask::block_quantize_answer& made);
std::string text_of(const ask::cost_answer& made);
std::string text_of(const ask::many_cost_answer& made);
std::string text_of(const ask::streaming_answer& made);
std::string text_of(const ask::scaling_answer& made);
std::string text_of(const ask::many_scaling_answer& made);
std::string text_of(const ask::mismatch_answer& made);
std::string text_of(const ask::islands_answer& made);
std::string text_of(const ask::markov_answer& made);
std::string text_of(const ask::cmos_answer& made);
std::string text_of(const ask::simulate_answer& made);
std::string text_of(const ask::many_simulate_answer& made);
std::string text_of(const ask::tour_answer& made);

table rows_of(const ask::format_answer& made);
table rows_of(const ask::quantize_answer& made);
table rows_of(const ask::law_answer& made);
table rows_of(const ask::pair_law_answer& made);
table rows_of(const ask::entropy_answer& made);
table rows_of(const ask::pair_answer& made);
table rows_of(const ask::row_answer& made);
table rows_of(const ask::estimate_answer& made);
table rows_of(const ask::row_law_answer& made);
table rows_of(const ask::estimate_law_answer& made);
table rows_of(const ask::codebook_answer& made);
table rows_of(const ask::codebook_format_answer& made);
table rows_of(const ask::codebook_quantize_answer& made);
table rows_of(const ask::number_answer& made);
table rows_of(const ask::number_format_answer& made);
table rows_of(const ask::catalogue_answer& made);
table rows_of(const ask::number_quantize_answer& made);
table rows_of(const ask::compare_answer& made);
table rows_of(const ask::measure_answer& made);
table rows_of(const ask::fit_answer& made);
table rows_of(const ask::fit_columns_answer& made);
table rows_of(const ask::block_answer& made);
table rows_of(const ask::block_format_answer& made);
table rows_of(const ask::block_quantize_answer& made);
table rows_of(const ask::cost_answer& made);
table rows_of(const ask::many_cost_answer& made);
table rows_of(const ask::streaming_answer& made);
table rows_of(const ask::scaling_answer& made);
table rows_of(const ask::many_scaling_answer& made);
table rows_of(const ask::mismatch_answer& made);
table rows_of(const ask::islands_answer& made);
table rows_of(const ask::markov_answer& made);
table rows_of(const ask::cmos_answer& made);
table rows_of(const ask::simulate_answer& made);
table rows_of(const ask::many_simulate_answer& made);
table rows_of(const ask::tour_answer& made);

}  // namespace ktln2::cli
