#include <cstdio>
#include <ktln2/format/float_format.hpp>

int main() {
  const ktln2::float_format format{24, 8};
  std::printf("p = %d\n", format.p());
  return format.p() == 24 ? 0 : 1;
}
