#pragma once

#include "ktln2/core/stop.hpp"
#include "paper/report/plot.hpp"

/// What --plot draws of each answer. The functions of draw/plots.py know the columns.
namespace ktln2::ask {
class entropy_answer;
class pair_answer;
class row_answer;
class estimate_answer;
class codebook_answer;
class number_answer;
class block_answer;
struct compare_answer;
struct measure_answer;
class cost_answer;
struct many_cost_answer;
struct streaming_answer;
struct scaling_answer;
struct many_scaling_answer;
struct mismatch_question;
struct mismatch_answer;
struct islands_answer;
struct sweep_question;
class sweep;
}  // namespace ktln2::ask

namespace ktln2::cli {

paper::plot_request picture_of(const ask::entropy_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::pair_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::row_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::estimate_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::codebook_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::number_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::block_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::compare_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::measure_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::cost_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::many_cost_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::streaming_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::scaling_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::many_scaling_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::mismatch_answer& made, const stop_token& stop = {});
paper::plot_request picture_of(const ask::islands_answer& made, const stop_token& stop = {});
/// Of its rows, as CSV under its headings.
paper::plot_request picture_of(const ask::sweep& swept, const std::string& rows);

/// Throws std::domain_error where an answer's picture would take too long.
template <class Question>
void require_picture(const Question& /*any*/) {}
void require_picture(const ask::mismatch_question& asked);
/// And where there are more axes, rows or columns than can be drawn.
void require_picture(const ask::sweep_question& asked);

}  // namespace ktln2::cli
