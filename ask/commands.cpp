// Every command with its options: one table that parser, help, completion and sweeps read.
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

#include "ask/command.hpp"
#include "ask/operations.hpp"

namespace ktln2::ask {
namespace {

using options = std::vector<option>;

options together(std::initializer_list<options> lists) {
  options all;
  for (const options& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The same option with another default.
options with_default(options list, const std::string& name, const std::string& otherwise) {
  for (option& one : list) {
    if (one.name == name) one.otherwise = otherwise;
  }
  return list;
}

const option format{"format", "FORMAT", takes::word,
                    "A format such as p24e8: precision 24, 8 exponent bits"};
const option any_format{"format", "FORMAT", takes::word,
                        format.help +
                            "; one that people own, such as bfloat16 or mxfp4 (`ktln2 "
                            "format` lists them); or codebook:FILE, a file with one value a line"};
const option number_format_name{"format", "FORMAT", takes::word,
                                format.help + ", or one that people own, such as bfloat16"};
const options storing_options{
    {"rounding", "R", takes::word,
     "nearest-even, nearest-away, toward-zero, down, up or to-odd; stochastic, or with N random "
     "bits stochastic-a:N, -b:N or -c:N (p24e8 and the like: nearest or toward-zero)",
     "nearest"},
    {"overflow", "O", takes::word,
     "What is too large becomes: saturate, infinity or nan (default: as the format has it)"}};
const options block_options{
    {"scale-policy", "P", takes::word,
     "Scale of a block such as mxfp4: floor, ceil, rceil or even (default: floor)"},
    {"second-level-scale", "G", takes::number,
     "Of nvfp4: what the scales of all blocks are multiplied with (default: 1)"}};
const option distribution{"distribution", "DIST", takes::word, "A distribution, see below"};

// What several commands have in common.

const option sigma_x{"sigma-x", "S", takes::number, "Deviation of the inputs", "1"};
const options model{{"w", "W", takes::number, "The true slope", "1"},
                    sigma_x,
                    {"sigma-xi", "S", takes::number, "Deviation of the noise", "1"}};
const std::vector<std::string> rate_names{"lr", "learning-rate"};
const std::vector<std::string> heat_names{"temp"};
const options points{{"n", "N", takes::whole, "Data points", "10"}};
const options steps{{"steps", "N", takes::whole, "Steps of SGD", "100"}};
const options steps_by_points{
    steps[0],
    {"n", "N", takes::whole, "Data points, in the place of --steps: a multiple of --batch"}};
const options passes{{"epochs", "N", takes::whole, "With --n: passes over the points (default 1)"}};
const note passes_note{
    "epochs",
    "With --n, SGD takes n/batch steps in each of --epochs passes over the points. A\n"
    "pass loads all points again, and erases them again: the bill is that of epochs n\n"
    "points. The law of the slope is that of fresh points in every step.\n"};
/// Of rows with many features.
const options row_options{
    {"features", "D", takes::whole,
     "How many: then --w, --sigma-x and --mu are numbers for all or lists, such as 1/-2/0.5"},
    {"mu", "LIST", takes::word, "With --features: their means", "0"},
    {"corr", "R", takes::number, "With --features: the correlation of each two (default 0)"},
    {"ar", "R", takes::number, "With --features: that of neighbors; R^2 of the next, and so on"},
    {"covariance", "FILE", takes::word,
     "With --features: how they vary, as many lines of numbers as there are"},
    {"intercept", "B", takes::number,
     "With --features: the true intercept, which is then estimated, too"}};
const options descent_options{
    {"batch", "N", takes::whole, "Points in each step", "10", "", {"batch-size"}},
    {"eta", "E", takes::number, "Learning rate", "0.01", "", rate_names},
    {"w0", "W", takes::number, "Where SGD starts", "1"}};
const options start_options{
    {"w0-sigma", "S", takes::number, "Deviation of a normal start; 0: it is a point", "0"}};
const options sgd_law_options{
    {"law", "L", takes::word, "Of SGD's slope: ou, stationary, moments or exact", "moments"}};
/// SGD starts at 1 and has somewhere to go.
const options sgd_model_options = with_default(model, "w", "2");
const options averaged{{"n", "N", takes::whole, "Numbers to average", "10"},
                       {"mu", "M", takes::number, "Mean of the numbers", "0"},
                       {"sigma", "S", takes::number, "Their deviation", "1"},
                       {"sum", "", takes::nothing, "The sum instead of the mean"}};
const options y_format{{"y-format", "F", takes::word, "The format of y (default: FORMAT)"}};
const options model_format{
    {"model-format", "F", takes::word, "The format of the result (default: FORMAT)"}};
const options both_formats = together({y_format, model_format});
const options entropy_kinds{
    {"entropy", "K", takes::word, "exact, or smooth: the paper's closed forms", "exact"}};
const options heat{
    {"temperature", "K", takes::number, "In kelvin (default 300)", "", "", heat_names},
    {"kbt", "J", takes::number, "The same, as k_B T in joules (the paper has 4e-21)"},
    {"units", "U", takes::word, "Of energies in text: J, zJ, eV or kT (default J)", "", "units"}};
const options drawn{{"plot", "FILE", takes::word,
                     "Draw it, too, into FILE.svg, FILE.pdf or FILE.png (needs matplotlib)"}};
const options threads{
    {"threads", "N", takes::whole, "How many (default: as many as the machine has)"}};

/// Where there is a model of the data.
const note units_note{
    "sigma-xi",
    "x and y are in whatever units the data have, and so are the options about\n"
    "them: w in those of y/x, sigma-x in those of x, sigma-xi in those of y, eta in\n"
    "those of 1/x^2. Energies are in joules, temperatures in kelvin.\n"};
const note prices_note{
    "energy-price",
    "Prices are in any currency, the same for all: the energy's is that of a joule.\n"
    "A kilowatt hour has 3.6e6 J, so that a household tariff of 0.30 EUR/kWh is\n"
    "--energy-price 8.3e-8 (0.30/3.6e6 EUR/J), and --inference-price 10 is 10 EUR.\n"
    "At such a tariff a bit's k_B T ln 2, 2.9e-21 J, is as good as free and more data\n"
    "are always worth it; the paper's 5e16 a joule is the price at which they are\n"
    "not.\n"};

/// What a chip takes, and what is counted.
help_text operations_text() {
  if (!has_help) return "";
  std::string text =
      "A chip does more than erase: the text says how much its arithmetic takes. An\n"
      "operation is a sum, a difference, a product or a division: 2n products, 2(n - 1)\n"
      "sums and a division for exact; 2B + 1 products and 2B sums in each step of sgd;\n"
      "n - 1 sums, and a division for the mean, for average; a product for inference.\n"
      "What moves data is not counted. With --per-op each takes that, otherwise as in\n"
      "45 nm at 0.9 V (M. Horowitz, ISSCC 2014), here beside k_B T ln 2 at 300 K:\n";
  const joules bit = landauer_cost(bits{1}, kelvin{300});
  for (const real_operation& one : real_operations()) {
    text += fmt::format("  {:<24} {:>6} pJ {:>8.1e} times\n", one.name,
                        std::round(one.energy.value() * 1e14) / 100, one.energy / bit);
  }
  return text;
}

command format_command() {
  return {"format",
          "What a register can hold",
          "format p4e4 --index 1 256",
          {{"name", "NAME", takes::word, any_format.help, "all"}},
          {{"",
            "",
            {{"values", "", takes::nothing, "List all values (up to 2^20)"},
             {"index", "I", takes::words, "Show the values with these numbers, 1 ... K"}}}},
          {{"",
            "A codebook's file has one value a line, in ascending order; a second number in\n"
            "the line is the upper edge of its cell (without one: midway to the next value),\n"
            "and what follows a # is not read.\n"}}};
}

command quantize_command() {
  return {"quantize",
          "The stored value of each X",
          "quantize p24e8 0.1 -2.5",
          {{"name", "NAME", takes::word, any_format.help},
           {"x", "X", takes::numbers,
            "Numbers to store; - reads them from standard input, one a line"}},
          {{"", "",
            together({storing_options,
                      {{"random", "K", takes::whole,
                        "The random bits of stochastic-a:N and the like, as a number below 2^N"}},
                      block_options})}},
          {{"", "A block format such as mxfp4 takes whole blocks of numbers.\n"}}};
}

command law_command() {
  return {"law",
          "A continuous law itself",
          "law student:dof=3 --at -1 0 1",
          {distribution},
          {{"",
            "",
            {{"at", "X", takes::numbers, "Density and distribution function at these points", "",
              "at,pdf,cdf,ccdf,ln_pdf"},
             {"covariance", "FILE", takes::word,
              "Of the features of row and ols: as many lines of numbers as there are"},
             {"coefficient", "J", takes::word,
              "Of what ols finds, one coefficient alone: 1 ... d, or b"}}}},
          {},
          true};
}

command entropy_command() {
  return {
      "entropy",
      "The exact entropy of a stored random variable, of a pair, or of a row of many",
      "entropy p24e8 normal:mu=0,sigma=1 --bits",
      {any_format, distribution},
      {{"", "",
        together({{{"tolerance", "T", takes::number,
                    "Accuracy to aim for, in bits (default 1e-12, 1e-11 for a pair)"},
                   {"y-format", "F", takes::word,
                    "The format of y's register, of a pair or a row (default: FORMAT)"},
                   {"covariance", "FILE", takes::word,
                    "Of the features of row and ols: as many lines of numbers as there are"},
                   {"order", "LIST", takes::word,
                    "The order in which a row's registers are taken, such as x2,x1,y"},
                   {"coefficient", "J", takes::word,
                    "Of what ols finds, one coefficient alone: 1 ... d, or b"},
                   {"bits", "", takes::nothing, "What every single bit is worth", "", "bits"},
                   {"terms", "", takes::nothing,
                    "The terms of the derivation, each with the paper's formula", "", "terms"},
                   {"certify", "", takes::nothing, "Prove the value, if the law has a formula"}},
                  storing_options,
                  block_options,
                  heat,
                  drawn})}},
      {},
      true};
}

command compare_command() {
  return {
      "compare",
      "One variable in several formats: what each holds, what it wastes, how far rounding is off",
      "compare normal:sigma=0.02 bfloat16 e4m3 posit8",
      {{"distribution", "DIST", takes::word, "The distribution of one variable, see below"},
       {"formats", "FORMAT", takes::words, "Formats (default: the common ones)", "common"}},
      {{"", "", drawn}},
      {},
      false,
      true};
}

command measure_command() {
  const options reading{
      {"dtype", "T", takes::word,
       "What raw numbers are, and what those of a table are stored as: BF16, F32, e4m3 ..."},
      {"kind", "K", takes::word,
       "Of a file whose name does not tell: safetensors, index, npy, npz, csv or raw"},
      {"delimiter", "D", takes::word,
       "Of a table: comma, semicolon, tab or bar (default: guessed)"},
      {"decimal-comma", "", takes::nothing, "In a table 1,5 means 1.5"}};
  return {
      "measure",
      "What the numbers in files carry, and what they could be compressed to at best",
      "measure model.safetensors",
      {{"files", "FILE", takes::words,
        ".safetensors, .npy, .npz, .csv, .tsv, or raw numbers with --dtype; - is standard input"}},
      {{"", "",
        together(
            {{{"each", "", takes::nothing,
               "A row for each tensor, the worst first; without, one for those whose names "
               "differ by numbers"},
              {"bits", "", takes::nothing, "What every single bit is worth"},
              {"as", "FORMATS", takes::words,
               "What they would carry and lose in these formats: bfloat16,e4m3,mxfp4"},
              {"estimator", "E", takes::word,
               "Of entropies from counts: plugin, miller-madow, grassberger or chao", "chao"}},
             reading,
             {{"temperature", "K", takes::number, "In kelvin (default 300)", "", "", heat_names},
              {"kbt", "J", takes::number, "The same, as k_B T in joules"},
              {"units", "U", takes::word, "Of energies in text: J, zJ, eV or kT (default J)"}},
             drawn,
             threads})}},
      {{"",
        "Codes of up to 16 bits are counted, and so are the 16 leading bits of longer\n"
        "ones; the bytes below these are counted each by itself, and their sum is the\n"
        "most that the code can carry.\n"}}};
}

command fit_command() {
  const options advised{
      {"energy-price", "P", takes::number,
       "Of a joule: with both prices, how many rows are worth it"},
      {"inference-price", "P", takes::number, "Of a prediction"},
      {"demand", "D", takes::word, "As `ktln2 scaling --help` has it", "inverse"}};
  return {
      "fit",
      "A line or a plane through columns of a table, and what training on them must cost",
      "fit table.csv --x height --y weight",
      {{"file", "FILE", takes::word, "A table: .csv, .tsv; - is standard input"}},
      {{"", "",
        together(
            {{{"x", "COLS", takes::word,
               "The column of the inputs, by name or number; several with commas between them"},
              {"y", "COL", takes::word, "That of the outputs"},
              {"intercept", "", takes::nothing, "The line or plane need not pass through 0"},
              {"delimiter", "D", takes::word,
               "Of the table: comma, semicolon, tab or bar (default: guessed)"},
              {"decimal-comma", "", takes::nothing, "In the table 1,5 means 1.5"},
              {"format", "F", takes::word, "The registers, such as p24e8 or bfloat16", "p24e8"}},
             both_formats,
             {{"batch", "N", takes::whole, "Rows in each step of SGD", "10"},
              {"epochs", "N", takes::whole,
               "Passes of SGD over the rows, each of which loads and erases them all", "1"},
              {"eta", "E", takes::number,
               "Learning rate (default: 0.1/sigma_x^2, of several columns 0.1/E|x|^2)", "", "",
               rate_names},
              {"w0", "W", takes::number, "Where SGD starts", "0"}},
             sgd_law_options,
             entropy_kinds,
             heat,
             advised})}},
      {{"",
        "The slope, the deviations and the signal-to-noise ratio are measured, each with\n"
        "its standard error. Bits and joules are those of normal x and noise of these\n"
        "sizes; of one column with --intercept those of the centered data, of several\n"
        "columns those with their means.\n"},
       prices_note}};
}

command cost_command() {
  const options internal{
      {"internal", "S", takes::word,
       "Internal entropy of a register's states, in bits: an expression, or file:FILE"},
      {"reset", "X", takes::number,
       "With --internal: what registers are reset to, stored (default 0)"}};
  const options chip{
      {"per-op", "E", takes::word,
       "What an operation takes on your chip, such as 0.4pJ: how far above the bound it is"}};
  const options pricing = together({entropy_kinds, heat, chip, internal, drawn});
  return {"cost",
          "The Landauer cost of a computation, as a bill",
          "cost exact p24e8 --n 1000 --w 2 --sigma-x 1 --sigma-xi 1",
          {number_format_name},
          {{"exact", "exact regression on n points",
            together({points,
                      model,
                      row_options,
                      {{"ridge", "L", takes::word,
                        "With --features: a penalty on the squares of the coefficients, or optimal",
                        "0"}},
                      both_formats,
                      pricing})},
           {"sgd", "stochastic gradient descent",
            together({row_options, steps_by_points, passes, descent_options, start_options,
                      sgd_model_options, sgd_law_options, both_formats, pricing}),
            "cost sgd p24e8 --steps 100 --batch 10 --eta 0.05"},
           {"average", "the mean or the sum of n numbers",
            together({averaged,
                      {{"of", "DIST", takes::word,
                        "Their law, as `ktln2 law --help` has it (default: normal)"}},
                      model_format,
                      pricing}),
            "cost average p24e8 --n 100 --of laplace:loc=0,scale=1"},
           {"inference", "one prediction, x times a slope",
            together({{{"slope", "W", takes::number, "The slope, used as it is", "1.5"}, sigma_x},
                      {{"w", "LIST", takes::word, "With --features: the coefficients", "1"}},
                      row_options,
                      pricing}),
            "cost inference p24e8 --slope 1.5"},
           {"streaming",
            "regression with running sums, and what its parts cost by themselves",
            together({points, model, heat, drawn}),
            "cost streaming p3e3 --n 20",
            {format}}},
          {units_note,
           passes_note,
           {"per-op", operations_text()},
           {"internal",
            "What --internal may be of a state, up to 2^20 of them:\n"
            "  x                         the stored value\n"
            "  index                     its number, 1 ... K, from the lowest value on\n"
            "  sign, exponent, mantissa  x = (-1)^sign 2^exponent (1 + mantissa)\n"
            "  ones, width               bits that are 1, and all bits of the register\n"
            "such as \"0.1*ones\". Without x, index, mantissa and ones it is for formats of\n"
            "any size. A file has a line for each state: its value and its internal\n"
            "entropy.\n"}},
          true};
}

command scaling_command() {
  const options market{
      {"energy-price", "P", takes::number, "Of a joule, see below"},
      {"inference-price", "P", takes::number, "Of a prediction"},
      {"price-rise", "P", takes::number, "By which the latter rises with each unit of demand", "0"},
      {"demand", "D", takes::word, "How much is asked for, see below", "inverse"},
      {"relaxation", "S", takes::number, "Seconds in which a bit relaxes: haste costs energy", "0"},
      {"memory-price", "P", takes::number, "Of a bit that is held for a second", "0"},
      {"time-price", "P", takes::number, "Of a second", "0"}};
  const options features{
      {"features", "D", takes::whole, "How many: for more than one coefficient, see below"},
      {"snr", "S", takes::number,
       "With --features: the signal-to-noise ratio, in the place of --w, the same for all"},
      {"baseline", "B", takes::word,
       "With --features: what to beat, zero or null, a predictor that was not trained", "zero"},
      {"count-inference", "", takes::nothing,
       "With --features: predictions pay for the bits that they erase"}};
  const options fitted{{"intercept", "", takes::nothing, "With --features: an intercept, too"},
                       {"decay", "A", takes::number,
                        "With --optimize features: feature j has a part j^-(1+A) of the SNR", "1"}};
  const auto searched = [](const char* what) {
    return options{{"optimize", "WHAT", takes::word, what},
                   {"at", "N", takes::numbers,
                    "Profit and its derivative at these sizes, real ones too", "", "at"}};
  };
  const options pricing = together({both_formats, entropy_kinds, heat, drawn});
  return {"scaling",
          "The dataset size worth paying for",
          "scaling exact p24e8 --energy-price 5e16 --inference-price 10 --w 2",
          {number_format_name},
          {{"exact", "exact regression",
            together({market, model, features, fitted,
                      searched("Find also the best p (with the error of the stored slope); with "
                               "--features p or features"),
                      pricing})},
           {"ridge", "ridge regression with the best penalty, with many features",
            together({market, model, with_default(features, "features", "1"), fitted,
                      searched("Find also the best p or features"), pricing}),
            "scaling ridge p24e8 --energy-price 9e8 --inference-price 1 --features 40"},
           {"sgd", "stochastic gradient descent",
            together({market, descent_options, start_options, sgd_model_options, sgd_law_options,
                      features,
                      searched("Find also the best p (with the error of the stored slope), eta, "
                               "batch, or eta,batch"),
                      pricing}),
            "scaling sgd p24e8 --energy-price 5e16 --inference-price 10 --eta 0.05"}},
          {units_note,
           prices_note,
           {"features",
            "With --features the features are independent, centered and equally wide, and w\n"
            "is the same for all. All n >= 1 are looked at: with fewer rows than features the\n"
            "fit is the shortest of all exact ones. The phase of the best size is one (row),\n"
            "under, over (more rows than features) or none: do not train. critical_price is\n"
            "that of energy above which no size beats the baseline.\n"},
           {"demand",
            "Demands, by the mean square error of predictions, with the values that missing\n"
            "keys take:\n"
            "  inverse                         1/MSE\n"
            "  power:a=2                       MSE^-a\n"
            "  threshold:at=1.1,a=20,most=1    most / (1 + (MSE/at)^a)\n"}},
          true};
}

command mismatch_command() {
  const auto flow = [](const char* given) {
    return options{{"alpha", "A", takes::number, given, "1"},
                   {"constant", "C", takes::number, "That constant, in units of k_B", "0"}};
  };
  const options environment = flow(
      "Entropy given to the environment: C + A(sigma_x^2 + sigma_xi^2); of islands, whose data are "
      "stored, C + A E[x^2 + (y - w x)^2]");
  const options expression{
      {"environment", "EXPR", takes::word,
       "Any other expression in sigma_x, sigma_xi, the parameters, alpha and constant"}};
  const options bounds{{"bounds", "B", takes::word,
                        "Where the optimum is sought: sigma_x from,to, sigma_xi from,to",
                        "0.75,5,0.5,5"}};
  const options landscape{{"landscape", "N", takes::whole,
                           "Production on a lattice of N x N points inside the bounds", "0",
                           "landscape"}};
  const options searched = together({environment, expression, bounds, landscape});
  const options pricing = together({both_formats, entropy_kinds, heat, drawn});
  // The islands are counted one by one: one point, or one step, unless more is asked for.
  options small = together({points, steps, descent_options});
  for (const char* name : {"n", "steps", "batch"}) small = with_default(small, name, "1");
  small = with_default(small, "eta", "0.5");
  const options cmos{
      {"vdd", "V", takes::number, "Of cmos: the supply, in thermal voltages k_B T/e", "4"},
      {"capacitance", "C", takes::number,
       "Of cmos: the node's, in e^2/k_B T, electrons for a thermal voltage; 6.2 aF at 300 K", "20"},
      {"slope-factor", "N", takes::number,
       "Of cmos: e times the current for so many thermal voltages more at the gate", "1"},
      {"input", "V", takes::number,
       "Of cmos: where the input's rise to vdd begins (default: vdd/2)"}};
  return {
      "mismatch",
      "Entropy production beyond Landauer's bound",
      "mismatch exact p24e8 --sigma-x 1 --sigma-xi 1 --constant 500",
      {number_format_name},
      {{"exact", "variational mismatch cost of regression",
        together({points, model, searched, pricing})},
       {"sgd", "of stochastic gradient descent",
        together({steps_by_points, descent_options, start_options, sgd_model_options,
                  sgd_law_options, searched, pricing}),
        "mismatch sgd p24e8 --constant 2e5 --entropy smooth"},
       {"islands",
        "the true mismatch cost on a small format",
        together(
            {{{"algorithm", "A", takes::word, "exact (with --n) or sgd", "exact"}},
             small,
             {{"per-step", "", takes::nothing, "Each step of sgd as a process of its own, too", "",
               "per_step"}},
             model,
             flow("Entropy given to the environment: C + A E[x^2 + (y - w x)^2], the mean over "
                  "the points as they are stored"),
             bounds,
             both_formats,
             drawn}),
        "mismatch islands p2e1 --constant 5",
        {format}},
       {"ctmc",
        "a Markov chain in time",
        together(
            {{{"duration", "T", takes::number, "In units of 1/rate", "100"},
              {"bias", "E", takes::number, "What the energies are lifted by, in k_B T", "20"},
              {"rate", "R", takes::number,
               "At which the bath makes states jump; of cmos: electrons pass a transistor that "
               "is off",
               "1"},
              {"register", "F", takes::word, "The register that is reset", "p2e2"},
              {"sigma", "S", takes::number, "Deviation of what the reset is made for", "1.5"},
              {"loaded", "S", takes::number, "Deviation of what is loaded (default: the same)"}},
             cmos,
             heat}),
        "mismatch ctmc erase --duration 10",
        {{"format", "PROTOCOL", takes::word,
          "erase (a bit), reset (a register), cmos (a bit of CMOS) or a file of rates"}}}},
      {units_note},
      true};
}

command simulate_command() {
  const options running = together(
      {{{"trials", "N", takes::whole, "How many", "1e5"},
        {"seed", "S", takes::whole, "Of the random numbers: the same seed, the same results", "1"}},
       threads,
       {{"arithmetic", "A", takes::word,
         "ideal: doubles, the result is stored; format: all is rounded", "ideal"},
        {"bins", "N", takes::whole, "Bins of the histogram", "20", "histogram"},
        {"low", "X", takes::number, "Its lower end", "", "histogram"},
        {"high", "X", takes::number, "Its upper end", "", "histogram"}}});
  return {"simulate",
          "Draw data, run the computation many times, measure what comes out",
          "simulate slope p6e4 --n 10 --trials 1e5",
          {number_format_name},
          {{"slope", "exact regression on n points", together({points, model, running})},
           {"sgd", "stochastic gradient descent, compared with --law",
            together({row_options, steps_by_points, descent_options, start_options,
                      sgd_model_options, sgd_law_options, running}),
            "simulate sgd p6e4 --steps 10 --trials 1e4"},
           {"ols", "exact regression with many features, compared with its law",
            together({{{"n", "N", takes::whole, "Rows", "20"}},
                      with_default(row_options, "features", "1"),
                      model,
                      running}),
            "simulate ols p4e3 --features 2 --n 10 --w 1/-2 --trials 1e5"},
           {"average", "the mean or the sum of n normal numbers", together({averaged, running}),
            "simulate average p6e4 --n 10 --trials 1e4"}},
          {units_note},
          true};
}

command sweep_command() {
  return {
      "sweep",
      "Any of these commands along any parameters, in parallel",
      "sweep entropy p24e8 normal --over sigma=0.1:10:5:log",
      {{"command", "COMMAND", takes::words, "The command and its arguments"}},
      {{"", "",
        together({{{"over", "AXIS", takes::each,
                    "KEY=FROM:TO:COUNT, KEY=FROM:TO:COUNT:log, KEY=A,B,C or, in whole steps, "
                    "KEY=FROM:TO; once for each axis, the first one outermost"},
                   {"columns", "LIST", takes::word,
                    "Numbers of the answer to show, with commas in between (fields.exponent), or "
                    "all; without, the main ones and the warnings"},
                   {"out", "FILE", takes::word,
                    "CSV, or NumPy's .npz; the same command goes on where it was interrupted"}},
                  drawn,
                  threads})}},
      {{"",
        "COMMAND is law, entropy, cost, scaling, mismatch or simulate, with its\n"
        "arguments. KEY is p or E of the format, format itself, a key of the\n"
        "distribution, distribution itself, or an option of the command without the\n"
        "dashes. The rows are CSV, in order, whatever the threads do; Ctrl-C leaves\n"
        "complete ones.\n"}}};
}

command paper_command() {
  return {
      "paper",
      "Every figure, table and claim of the paper, as a report",
      "paper --only fig:profit_ex --out out/profit --quick",
      {},
      {{"", "",
        together(
            {{{"out", "DIR", takes::word, "Directory for the report", "out/paper"},
              {"only", "LABEL", takes::words,
               "These figures, groups or panels only: fig:profit_ex, profit_ex or \"Figure "
               "5a\""},
              {"list", "", takes::nothing,
               "What --only can name: labels, their numbers in print, titles"},
              {"set", "SETTING", takes::words, "Change a parameter: LABEL.NAME=VALUE[,VALUE...]"},
              {"quick", "", takes::nothing, "Coarse grids"},
              {"seed", "S", takes::whole, "Seed of the simulations", "1"},
              {"claims", "FILE", takes::word, "Check the claims of this file instead"},
              {"explorer", "FILE", takes::word,
               "The explorer as one file, for the report to link to; `./run web` makes it"}},
             threads})}},
      {{"",
        "What is finished is kept: the same command again computes only what its\n"
        "settings or the program changed. Exit status 1 if a claim does not come out as\n"
        "it should.\n"}}};
}

command explain_command() {
  return {"explain",
          "What a formula or a figure of the paper says, and where it is used",
          "explain eq:single_mean_0",
          {{"label", "LABEL", takes::words,
            "LaTeX labels of the paper; a number in print, such as \"Figure 3\", \"Eq. 12\" "
            "or \"Section IV\"; or words to look for in titles and labels. Without one, all are "
            "listed",
            "all"}},
          {{"", "", {}}}};
}

command tour_command() {
  return {
      "tour", "The entropy of a normal variable in the common formats", "tour", {}, {{"", "", {}}}};
}

}  // namespace

const std::vector<command>& commands() {
  static const std::vector<command> all =
      has_help ? std::vector<command>{format_command(),   quantize_command(), law_command(),
                                      entropy_command(),  compare_command(),  measure_command(),
                                      fit_command(),      cost_command(),     scaling_command(),
                                      mismatch_command(), simulate_command(), sweep_command(),
                                      paper_command(),    explain_command(),  tour_command()}
               : std::vector<command>{format_command(),  law_command(),      entropy_command(),
                                      compare_command(), measure_command(),  cost_command(),
                                      scaling_command(), mismatch_command(), sweep_command()};
  return all;
}

}  // namespace ktln2::ask
