"""Which function draws which figure."""

import markets
import registers


def drawing(name):
    for module in (registers, markets):
        if hasattr(module, name):
            return getattr(module, name)
    raise KeyError(f"nothing draws {name}")
