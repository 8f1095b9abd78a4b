// The errors of Boost.Math without the number that they are about: to print it as Boost does takes
// streams and locales, a twentieth of the page.
#include <boost/math/policies/error_handling.hpp>
#include <stdexcept>
#include <string>

namespace boost::math::policies {
namespace {

template <class Error>
[[noreturn]] void raise(const char* function, const char* message) {
  throw Error(std::string(function) + ": " + message);
}

}  // namespace

template <class T>
T user_domain_error(const char* function, const char* message, const T& /*value*/) {
  raise<std::domain_error>(function, message);
}
template <class T>
T user_pole_error(const char* function, const char* message, const T& /*value*/) {
  raise<std::domain_error>(function, message);
}
template <class T>
T user_overflow_error(const char* function, const char* message, const T& /*value*/) {
  raise<std::overflow_error>(function, message != nullptr ? message : "overflow");
}
template <class T>
T user_evaluation_error(const char* function, const char* message, const T& /*value*/) {
  raise<std::runtime_error>(function, message);
}
template <class T, class Target>
T user_rounding_error(const char* function, const char* message, const T& /*value*/,
                      const Target& /*rounded*/) {
  raise<std::runtime_error>(function, message);
}

template double user_domain_error(const char*, const char*, const double&);
template double user_pole_error(const char*, const char*, const double&);
template double user_overflow_error(const char*, const char*, const double&);
template double user_evaluation_error(const char*, const char*, const double&);
template double user_rounding_error(const char*, const char*, const double&, const double&);
template double user_rounding_error(const char*, const char*, const double&, const int&);
template long double user_domain_error(const char*, const char*, const long double&);
template long double user_pole_error(const char*, const char*, const long double&);
template long double user_overflow_error(const char*, const char*, const long double&);
template long double user_evaluation_error(const char*, const char*, const long double&);
template long double user_rounding_error(const char*, const char*, const long double&,
                                         const long double&);
template long double user_rounding_error(const char*, const char*, const long double&, const int&);

}  // namespace boost::math::policies
