"""``@function``: numbers of Python, dtypes by position, and advice for what is not taken."""

import pickle
import typing
from typing import Annotated

import numpy as np
import pytest

import arrlang as arr


def test_a_number_of_one_element_is_python_s():
    x, u = np.array([1.5, 2.5], np.float32), np.array([1, 2], np.uint8)

    def scaled(x, u):
        return float(x[1]) * x, int(x[1]) + u, complex(x[1]) * x

    for made, expected in zip(arr.function(scaled)(x, u), scaled(x, u)):
        assert made.dtype == expected.dtype and np.array_equal(made, expected)

    @arr.function
    def whole(x):
        return float(x)

    with pytest.raises(arr.CheckError, match="is of one number"):
        whole(x)


def test_a_dtype_by_position_is_numpy_s():
    def made(x):
        return np.ones(3, "f4"), np.zeros((2,), "i8"), np.full(2, 1, "f4"), np.asarray(x, "f4"), np.ones(2, float), np.sum(x, 0, "f4")

    x = np.array([1.5, 2.5])
    for own, expected in zip(arr.function(made)(x), made(x)):
        assert own.dtype == expected.dtype and np.array_equal(own, expected)


def _written(body: str, tmp_path):
    """A function with this body, whose source is a file."""
    path = tmp_path / "written.py"
    path.write_text(f"import numpy as np\n\ndef written(x):\n    {body}\n")
    space = {"__name__": "written"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["written"]


@pytest.mark.parametrize("body, meant", [
    ("return print(x)", "nothing is printed"),
    ("print(x); return x", "nothing is printed"),
    ("return f'{x}'", "there is no text"),
    ("return np.sum(v for v in x)", "whole arrays"),
    ("return np.array([v for v in x])", "whole arrays"),
    ("return {'a': x}", "a tuple, return a, b"),
    ("return (y := x) + y", "a line of its own: y = x"),
    ("x; return x", "no value alone"),
])
def test_what_a_function_has_not_has_advice_of_its_own(body, meant, tmp_path):
    with pytest.raises(TypeError, match=meant):
        arr.function(_written(body, tmp_path))


@pytest.mark.parametrize("body, meant", [
    ("return np.r_[x, 1]", "`concat"), ("return np.mgrid[0:2]", "arange"), ("return np.random.rand(3)", "a name of NumPy"),
])
def test_a_name_of_numpy_that_is_none_of_the_language_has_its_advice(body, meant, tmp_path):
    with pytest.raises(arr.CheckError, match=meant):
        arr.function(_written(body, tmp_path))(np.ones(2))


SETTINGS = {"a": 1.0}
COUNTS = np.ones(2)


def test_an_object_around_a_function_is_no_number():
    def of_a_table(x):
        return x * SETTINGS["a"]

    def of_an_array(x):
        return x * COUNTS

    with pytest.raises(TypeError, match="line 2: SETTINGS is no number.*make it a parameter, or give a number that is within a name"):
        arr.function(of_a_table)
    with pytest.raises(TypeError, match="line 2: COUNTS is no number.*make it a parameter$"):
        arr.function(of_an_array)


def test_a_method_is_refused_where_it_stands():
    with pytest.raises(TypeError, match="line 2: a method is not taken, as self is no array"):
        class Model:
            @arr.function
            def double(self, x):
                return x * 2

    class Tools:
        @staticmethod
        @arr.function
        def double(x):
            return x * 2

    assert Tools.double(np.ones(2)).tolist() == Tools().double(np.ones(2)).tolist() == [2, 2]

    @arr.function
    def scaled(self, x):
        return self * x

    assert scaled(2.0, np.ones(1)).tolist() == [2]


def test_a_type_may_be_annotated_for_other_checkers():
    @arr.function
    def scaled(x: Annotated[np.ndarray, "f32[n]"], k: typing.Annotated[float, "f32"]):
        return x * k

    assert scaled.signature == "(x: f32[n], k: f32) -> f32[n]"


def test_a_tuple_of_one_stays_a_tuple():
    @arr.function
    def shape(x):
        return x.shape

    @arr.function
    def places(x):
        return np.nonzero(x)

    @arr.function
    def outer(x):
        lengths = x.shape
        return lengths[:-1]

    for x in [np.ones(3), np.ones((2, 3)), 1.5]:
        assert shape(x) == np.shape(x) and outer(x) == np.shape(x)[:-1]
    assert isinstance(places(np.ones(2)), tuple) and places(np.ones(2))[0].tolist() == [0, 1]
    assert len(places(np.ones((2, 2)))) == 2
    assert pickle.loads(pickle.dumps(shape))(np.ones(3)) == (3,)
