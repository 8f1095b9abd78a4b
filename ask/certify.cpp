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

}  // namespace ktln2::ask

#else
#include <stdexcept>

namespace ktln2::ask {

leading_entropy certified_leading_entropy(const float_format&, const law&, bits) {
  return [](int) -> bounded<bits> {
    throw std::runtime_error("entropy: --certify needs a program that was built with Arb");
  };
}

}  // namespace ktln2::ask
#endif
