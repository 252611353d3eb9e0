"""The errors a user can meet, each one sentence with the next step and with its exit code."""

from typing import ClassVar


class FxanchorError(Exception):
    """Base of every error that is shown to the user as one plain sentence, without a traceback."""

    exit_code: ClassVar[int] = 1


class UsageError(FxanchorError):
    """The command was asked for something it cannot mean, such as an unknown concept or package."""

    exit_code = 2


class InputError(FxanchorError):
    """An input (a PDF, a model file, a source tree) cannot be read."""

    exit_code = 3


class CaptureError(FxanchorError):
    """No way of capturing could take the model."""

    exit_code = 4
