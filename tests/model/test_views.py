"""A capture folded by module and by line."""

from helpers.models import capture_case

from fxanchor.model.views import by_line, by_module


def test_by_module() -> None:
    found = capture_case("buffer_slice", only_fx=True)
    folds = {fold.path: fold for fold in by_module(found)}
    assert list(folds) == ["", "position"]
    assert (folds["position"].type, folds["position"].opened, folds["position"].depth) == (
        "PositionalEncoding",
        True,
        1,
    )


def test_by_module_counts_what_is_below() -> None:
    found = capture_case("silent_no_grad", "2x4", only_fx=True)
    root, lin = by_module(found)
    assert (root.nodes, root.type, root.parameters, root.shape) == (2, "Net", 20, (2, 4))
    assert (lin.path, lin.nodes, lin.opened, lin.parameters, lin.shape) == ("lin", 1, False, 20, (2, 4))


def test_by_line() -> None:
    found = capture_case("silent_no_grad", only_fx=True)
    lines = by_line(found)
    assert [(fold.line, fold.spans, [node.name for node in fold.nodes]) for fold in lines] == [
        (10, ((22, 23),), ["x"]),
        (12, ((16, 27),), ["lin"]),
        (13, ((8, 20), (15, 20)), ["mul", "output"]),
    ]
