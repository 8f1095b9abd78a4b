#include "ask/certify.hpp"

#ifdef KTLN2_HAS_CERTIFICATE
#include <algorithm>

#include "ktln2/certificate/certified_entropy.hpp"

namespace ktln2::ask {

leading_entropy certified_leading_entropy(const float_format& format, const law& x,
                                          bits tolerance) {
  return [=](int kept) {
    return certified_entropy(format, x, std::min(tolerance, certificate_tolerance),
                             format.width() - kept);
  };
}

leading_entropy certified_leading_entropy(const stored_variable& stored) {
  return [=](int kept) {
    if (kept == 0) return exactly(bits{0});
    return certified_entropy(cells_of(stored.format, stored.rule, stored.format.width() - kept),
                             stored.x, std::min(stored.tolerance, certificate_tolerance));
  };
}

cell_entropy certified_cell_entropy(const stored_variable& stored) {
  return [=](const partition& cells) {
    return certified_entropy({cells, {}}, stored.x,
                             std::min(stored.tolerance, certificate_tolerance));
  };
}

}  // namespace ktln2::ask

#else
#include <stdexcept>

namespace ktln2::ask {

namespace {

bounded<bits> refuse_without_arb() {
  throw std::runtime_error("entropy: --certify needs a program that was built with Arb");
}

}  // namespace

leading_entropy certified_leading_entropy(const float_format&, const law&, bits) {
  return [](int) { return refuse_without_arb(); };
}
leading_entropy certified_leading_entropy(const stored_variable&) {
  return [](int) { return refuse_without_arb(); };
}
cell_entropy certified_cell_entropy(const stored_variable&) {
  return [](const partition&) { return refuse_without_arb(); };
}

}  // namespace ktln2::ask
#endif
