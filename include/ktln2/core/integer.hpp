#pragma once

namespace ktln2 {

/// For the codes and counts of registers of up to 79 bits.
__extension__ using uint128 = unsigned __int128;

}  // namespace ktln2
