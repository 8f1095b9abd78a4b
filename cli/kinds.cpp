#include "kinds.hpp"

namespace ktln2::cli {
namespace {

using option_list = std::vector<option_help>;

// What several commands have in common.

const option_list problem{{"w", "W", "The true slope (default 1, for sgd 2)"},
                          {"sigma-x", "S", "Deviation of the inputs (default 1)"},
                          {"sigma-xi", "S", "Deviation of the noise (default 1)"}};
const option_list points{{"n", "N", "Data points, or numbers to average (default 10)"}};
const option_list steps{{"steps", "N", "Steps of SGD (default 100)"}};
const option_list descent{
    {"batch", "N", "Points in each step (default 10)"},
    {"eta", "E", "Learning rate (default 0.01)"},
    {"w0", "W", "Where SGD starts (default 1)"},
    {"law", "L", "Of SGD's slope: ou (default), stationary, moments or exact"}};
const option_list numbers{{"mu", "M", "Mean of the numbers (default 0)"},
                          {"sigma", "S", "Their deviation (default 1)"},
                          {"sum", nullptr, "The sum instead of the mean"}};
const option_list pricing{{"y-format", "F", "The format of y (default: FORMAT)"},
                          {"model-format", "F", "The format of the result (default: FORMAT)"},
                          {"entropy", "K", "exact (default), or smooth: the paper's closed forms"},
                          {"temperature", "K", "In kelvin (default 300)"},
                          {"kbt", "J", "The same, as k_B T in joules (the paper has 4e-21)"}};

option_list joined(std::initializer_list<option_list> lists) {
  option_list all;
  for (const option_list& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

const kind_command& cost_kinds() {
  static const kind_command command{
      "cost",
      "The Landauer cost of a computation, as a bill",
      "cost exact p24e8 --n 1000 --w 2 --sigma-x 1 --sigma-xi 1",
      "exact, sgd, average or inference",
      "  exact       regression on n points: --n --w --sigma-x --sigma-xi\n"
      "  sgd         stochastic gradient descent: --steps --batch --eta --w0 --w --sigma-x\n"
      "              --sigma-xi --law\n"
      "  average     the mean or the sum of n normal numbers: --n --mu --sigma --sum\n"
      "  inference   one prediction, x times a slope: --slope --sigma-x\n",
      joined({points,
              problem,
              steps,
              descent,
              numbers,
              {{"slope", "W", "The slope of a prediction, used as it is (default 1.5)"}},
              pricing})};
  return command;
}

const kind_command& scaling_kinds() {
  static const kind_command command{
      "scaling",
      "The dataset size worth paying for",
      "scaling exact p24e8 --energy-price 5e16 --inference-price 10 --w 2 --kbt 4e-21",
      "exact or sgd",
      "  exact     exact regression: --w --sigma-x --sigma-xi\n"
      "  sgd       stochastic gradient descent: --batch --eta --w0 --w --sigma-x --sigma-xi --law\n"
      "\n"
      "Demands, by the mean square error of predictions, with the values that missing keys take:\n"
      "  inverse                         1/MSE\n"
      "  power:a=2                       MSE^-a\n"
      "  threshold:at=1.1,a=20,most=1    most / (1 + (MSE/at)^a)\n",
      joined(
          {{{"energy-price", "P", "Of a joule"},
            {"inference-price", "P", "Of a prediction"},
            {"price-rise", "P", "By which the latter rises with each unit of demand (default 0)"},
            {"demand", "D", "How much is asked for, see below (default inverse)"}},
           problem,
           descent,
           {{"optimize", "WHAT",
             "Find also the best p (with the error of the stored slope), eta, batch, or "
             "eta,batch"}},
           pricing})};
  return command;
}

const kind_command& mismatch_kinds() {
  static const kind_command command{
      "mismatch",
      "Entropy production beyond Landauer's bound",
      "mismatch exact p24e8 --sigma-x 1 --sigma-xi 1 --entropy smooth",
      "exact, sgd, islands or ctmc",
      "  exact     variational mismatch cost of regression: --n --w --sigma-x --sigma-xi --alpha\n"
      "            --constant --environment --bounds --landscape\n"
      "  sgd       of stochastic gradient descent: the same, with --steps --batch --eta --w0\n"
      "            --law instead of --n\n"
      "  islands   the true mismatch cost on a small format: --algorithm --n --w --sigma-x\n"
      "            --sigma-xi --alpha --constant --bounds (sgd: --steps --batch --eta --w0);\n"
      "            n, steps and batch are 1 here and eta is 0.5, if not given\n"
      "  ctmc      a Markov chain in time, FORMAT is erase or reset: --duration --bias --rate\n"
      "            (reset: --register --sigma --loaded)\n",
      joined({points,
              problem,
              steps,
              descent,
              {{"alpha", "A", "Entropy given to the environment: C + A(sigma_x^2 + sigma_xi^2)"},
               {"constant", "C", "That constant, in units of k_B (default 0)"},
               {"environment", "EXPR",
                "Any other expression in sigma_x, sigma_xi, the parameters, alpha and constant"},
               {"bounds", "B", "Where the optimum is sought (default 0.75,5,0.5,5)"},
               {"landscape", "N", "Production on a lattice of N x N points inside the bounds"},
               {"algorithm", "A", "Of islands: exact (default) or sgd"},
               {"duration", "T", "Of a Markov chain, in units of 1/rate (default 100)"},
               {"bias", "E", "What the energies are lifted by, in k_B T (default 20)"},
               {"rate", "R", "At which the bath makes states jump (default 1)"},
               {"register", "F", "The register that is reset (default p2e2)"},
               {"sigma", "S", "Deviation of what the reset is made for (default 1.5)"},
               {"loaded", "S", "Deviation of what is loaded (default: the same)"}},
              pricing})};
  return command;
}

const kind_command& simulate_kinds() {
  static const kind_command command{
      "simulate",
      "Draw data, run the computation many times, measure what comes out",
      "simulate slope p6e4 --n 10 --trials 1e5",
      "slope, sgd or average",
      "  slope     exact regression on n points: --n --w --sigma-x --sigma-xi\n"
      "  sgd       stochastic gradient descent: --steps --batch --eta --w0 --w --sigma-x\n"
      "            --sigma-xi, compared with --law\n"
      "  average   of n normal numbers: --n --mu --sigma --sum\n",
      joined(
          {{{"trials", "N", "How many (default 1e5)"},
            {"seed", "S", "Of the random numbers: the same seed, the same results (default 1)"},
            {"threads", "N", "The results do not depend on it (default: all that the machine has)"},
            {"arithmetic", "A",
             "ideal: doubles, the result is stored (default); format: all is rounded"}},
           points,
           problem,
           steps,
           descent,
           numbers,
           {{"bins", "N", "Bins of the histogram (default 20)"},
            {"low", "X", "Its lower end"},
            {"high", "X", "Its upper end"}}})};
  return command;
}

}  // namespace ktln2::cli
