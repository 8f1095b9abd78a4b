#include "ask/certify.hpp"

#ifdef KTLN2_HAS_CERTIFICATE
#include <algorithm>

#include "ktln2/certificate/certified_entropy.hpp"

namespace ktln2::ask {

bounded<bits> certified(const float_format& format, const law& x, bits tolerance) {
  return certified_entropy(format, x, std::min(tolerance, certificate_tolerance));
}

}  // namespace ktln2::ask

#else
#include <stdexcept>

namespace ktln2::ask {

bounded<bits> certified(const float_format&, const law&, bits) {
  throw std::runtime_error("entropy: --certify needs a program that was built with Arb");
}

}  // namespace ktln2::ask
#endif
