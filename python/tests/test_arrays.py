"""Numbers stored in formats: values, codes, and what codes stand for."""

import numpy as np
import pytest

import ktln2


def midpoints_and_neighbors(values):
    """All values, the middles between them, and what is one ulp beside each."""
    exact = np.concatenate([values, (values[:-1] + values[1:]) / 2])
    return np.concatenate([exact, np.nextafter(exact, np.inf), np.nextafter(exact, -np.inf)])


def same_bits(a, b):
    return np.array_equal(a.view(np.uint64), b.view(np.uint64))


def test_binary16_is_numpys_float16(rng):
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    finite = np.sort(every[np.isfinite(every)].astype(np.float64))
    for x in (midpoints_and_neighbors(finite), rng.normal(size=10**6) * 2.0 ** rng.integers(-30, 20, 10**6),
              np.array([0.0, -0.0, np.inf, -np.inf, 65519.99, 65520.0, 1e-300])):
        with np.errstate(over="ignore"):
            assert same_bits(ktln2.quantize("binary16", x), x.astype("f2").astype("f8"))
            assert np.array_equal(ktln2.codes("binary16", x), x.astype("f2").view("u2"))
    back = ktln2.decode("binary16", np.arange(65536, dtype=np.uint16))
    np.testing.assert_array_equal(back, every.astype("f8"))


@pytest.mark.long
def test_ten_million_numbers_are_numpys_float16(rng):
    x = rng.normal(size=10**7) * 2.0 ** rng.integers(-30, 20, 10**7)
    with np.errstate(over="ignore"):
        assert same_bits(ktln2.quantize("binary16", x), x.astype("f2").astype("f8"))


def test_binary32_is_numpys_float32(rng):
    x = rng.normal(size=10**5) * 2.0 ** rng.integers(-160, 130, 10**5)
    with np.errstate(over="ignore", under="ignore"):
        assert same_bits(ktln2.quantize("binary32", x), x.astype("f4").astype("f8"))
        assert np.array_equal(ktln2.codes("binary32", x), x.astype("f4").view("u4"))
    assert ktln2.codes("binary32", x).dtype == np.uint32


@pytest.mark.parametrize("format", ["p4e4", "e4m3", "posit8", "int8", "e5m2", "p3e2"])
def test_codes_come_back(format):
    codes = np.arange(ktln2.Format(format).size)
    values = ktln2.decode(format, codes)
    finite = np.isfinite(values)
    again = ktln2.codes(format, values[finite])
    np.testing.assert_array_equal(ktln2.decode(format, again), values[finite])
    np.testing.assert_array_equal(np.unique(values[finite]), np.unique(ktln2.Format(format).values()))


@pytest.mark.parametrize("format", ["p11e5", "bfloat16", "e4m3", "posit16"])
def test_values_and_codes_are_those_of_the_command_line(format, rng):
    x = rng.normal(size=50) * 10.0 ** rng.integers(-6, 6, 50)
    told = ktln2.ask("quantize", format, *x)
    assert ktln2.quantize(format, x).tolist() == told["values"]
    assert ktln2.codes(format, x).tolist() == told["codes"]


def test_arrays_of_any_kind_are_taken(rng):
    x = rng.normal(size=(6, 8))
    expected = ktln2.quantize("bfloat16", x)
    frozen = x.copy()
    frozen.flags.writeable = False
    for same in (frozen, np.asfortranarray(x), x.astype(">f8"), x.tolist()):
        assert np.array_equal(ktln2.quantize("bfloat16", same), expected)
    assert np.array_equal(ktln2.quantize("bfloat16", x[::-2, ::3]), expected[::-2, ::3])
    assert np.array_equal(ktln2.quantize("bfloat16", x.T), expected.T)

    class Wrapped:
        def __array__(self, dtype=None):
            return x

    assert np.array_equal(ktln2.quantize("bfloat16", Wrapped()), expected)

    class OnlyDlpack:
        def __dlpack__(self, stream=None):
            return x.__dlpack__()

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    assert np.array_equal(ktln2.quantize("bfloat16", OnlyDlpack()), expected)
    assert ktln2.quantize("bfloat16", 0.1) == 0.10009765625
    assert isinstance(ktln2.quantize("bfloat16", 0.1), float)
    assert ktln2.quantize("bfloat16", np.zeros((0, 3))).shape == (0, 3)


def test_floats_stay_floats_where_they_can(rng):
    x = rng.normal(size=1000).astype(np.float32)
    short = ktln2.quantize("bfloat16", x)
    assert short.dtype == np.float32
    assert np.array_equal(short, ktln2.quantize("bfloat16", x.astype(float)))
    assert ktln2.quantize("p8e8", x).dtype == np.float64
    assert np.array_equal(ktln2.quantize("bfloat16", x.astype(">f4")), short)
    half = x.astype(np.float16)
    assert np.array_equal(ktln2.quantize("binary16", half), half.astype(float))


def test_out_is_written_and_returned(rng):
    x = rng.normal(size=(100, 30))
    expected = ktln2.quantize("e4m3", x)
    out = np.empty_like(x)
    assert ktln2.quantize("e4m3", x, out=out) is out and np.array_equal(out, expected)
    strided = np.zeros((100, 60))
    ktln2.quantize("e4m3", x, out=strided[:, ::2])
    assert np.array_equal(strided[:, ::2], expected) and not strided[:, 1::2].any()
    in_place = x.copy()
    ktln2.quantize("e4m3", in_place, out=in_place)
    assert np.array_equal(in_place, expected)
    shifted = np.concatenate([x.reshape(-1), [0.0]])
    ktln2.quantize("e4m3", shifted[:-1], out=shifted[1:])
    assert np.array_equal(shifted[1:], expected.reshape(-1))
    with pytest.raises(ValueError, match=r"out must have the shape of x, \(100, 30\), got \(3,\)"):
        ktln2.quantize("e4m3", x, out=np.empty(3))
    frozen = np.empty_like(x)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out must be writable"):
        ktln2.quantize("e4m3", x, out=frozen)


@pytest.mark.parametrize("format", ["p24e8", "posit16"])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_lowest_bad_element_is_named(format, threads):
    x = np.zeros((300, 1000))
    x[200, 7] = x[120, 44] = x[299, 999] = np.nan
    if format == "posit16":
        format, what = "int8", r"x\[120, 44\].*nan"
    else:
        what = r"^x\[120, 44\] must be a number, got nan$"
    with pytest.raises(ValueError, match=what):
        ktln2.quantize(format, x, threads=threads)


def test_what_cannot_be_stored_is_refused():
    with pytest.raises(TypeError, match="x must be an array of real numbers"):
        ktln2.quantize("bfloat16", ["a"])
    with pytest.raises(ValueError, match=r"codes\[1\]: a code of e4m3 has 8 bits, got 256"):
        ktln2.decode("e4m3", [1, 256])
    with pytest.raises(ValueError, match=r"codes\[1\] must be >= 0, got -1"):
        ktln2.decode("e4m3", [1, -1])
    with pytest.raises(ValueError, match="numbers are stored one by one"):
        ktln2.quantize("mxfp4", [1.0])
    with pytest.raises(ValueError, match="did you mean"):
        ktln2.quantize("bfloat61", [1.0])


def test_formats_are_values():
    assert ktln2.Format("bf16") == ktln2.Format("BFLOAT16") != ktln2.Format("bfloat16", rounding="up")
    assert len({ktln2.Format("bf16"), ktln2.Format("bfloat16")}) == 1
    f = ktln2.Format("e4m3")
    assert (f.p, f.exponent_bits, f.width, f.size, f.max) == (4, 4, 8, 256, 448)
    runs = ktln2.Format("p3e2").runs()
    values = np.concatenate([r["start"] + r["spacing"] * np.arange(r["count"]) for r in runs])
    assert np.array_equal(values, ktln2.Format("p3e2").values()[16:])
    assert "bfloat16" in {one.name for one in ktln2.common_formats()}
    assert "<table>" in f._repr_html_()
