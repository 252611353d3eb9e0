"""A card gets an experiment by the names that the lab declares, and by nothing else."""

from dataclasses import replace

from fxanchor.labs.lab import Lab
from fxanchor.sheet.study.experiments import choose_labs

LAB = Lab("a", "A", "It is.", "paper 1", "holds", ("1.0",), "So.", (), "", uses_model=False)


def lab(name: str, *names: str) -> Lab:
    return replace(LAB, name=name, break_at=names)


def chosen(cards: list[str], classes: list[str], *labs: Lab) -> dict[str, str]:
    return {identity: one.name for identity, one in choose_labs(cards, classes, labs).items()}


def test_the_lab_of_exactly_this_definition_comes_before_one_inside_the_class() -> None:
    labs = (lab("inside", "m.C.f"), lab("exact", "m.C"))
    assert chosen(["m.C"], ["m.C"], *labs) == {"m.C": "exact"}


def test_a_lab_goes_to_the_card_of_its_main_subject() -> None:
    labs = (lab("first", "m.g", "m.f"), lab("second", "m.f"))
    assert chosen(["m.f", "m.g"], [], *labs) == {"m.f": "second", "m.g": "first"}


def test_a_lab_is_shown_once() -> None:
    assert chosen(["m.f", "m.C"], ["m.C"], lab("only", "m.f", "m.C.f")) == {"m.f": "only"}


def test_nothing_is_guessed_from_names_that_are_alike() -> None:
    assert chosen(["m.C", "m.fg"], ["m.C"], lab("other", "m.CD.f", "m.f", "n.m.C")) == {}


def test_of_the_labs_inside_a_class_the_one_that_is_most_about_it_is_taken() -> None:
    labs = (lab("a", "m.C.f", "m.D.f"), lab("b", "m.C.f", "m.C.g"))
    assert chosen(["m.C"], ["m.C"], *labs) == {"m.C": "b"}


def test_slow_labs_and_labs_with_needs_are_left_out() -> None:
    labs = (replace(lab("slow", "m.f"), slow=True), replace(lab("needy", "m.f"), needs=("other",)))
    assert chosen(["m.f"], [], *labs) == {}
