"""Which function draws which figure."""

import costs
import fits
import many
import markets
import overviews
import registers
import tables


def drawing(name):
    for module in (registers, costs, fits, markets, tables, overviews, many):
        if hasattr(module, name):
            return getattr(module, name)
    raise KeyError(f"nothing draws {name}")
