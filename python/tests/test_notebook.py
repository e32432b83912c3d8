"""The notebook runs from its first cell to its last."""

import pathlib

import pytest


def test_the_tour_runs():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("dask.array")
    path = pathlib.Path(__file__).parents[2] / "examples" / "python" / "tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    shown = [str(output.get("data", "")) for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("text/html" in one and "integer-overflow" in one for one in shown)
