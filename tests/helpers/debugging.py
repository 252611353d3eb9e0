"""Runs `debug` as a command would; what it is asked comes as JSON: the fields of a request."""

import json
import sys
from pathlib import Path

from fxanchor.breakpoints.debug import DebugRequest, debug_model
from fxanchor.breakpoints.plan import Focus
from fxanchor.breakpoints.resolved import resolve_catalogue
from fxanchor.errors import FxanchorError
from fxanchor.model.spec import parse_model
from fxanchor.source.index import open_index


def main(asked: str) -> int:
    """Debug, and tell how it went."""
    fields = json.loads(asked)
    model, inputs = fields.pop("model"), fields.pop("inputs", "")
    focus = Focus(fields.pop("node", ""), fields.pop("op", ""))
    generated = fields.pop("generated_file", None)
    request = DebugRequest(
        parse_model(model, inputs=inputs),
        at=tuple(fields.pop("at", ())),
        focus=focus,
        generated_file=Path(generated) if generated else None,
        **fields,
    )
    try:
        outcome = debug_model(request, resolve_catalogue(open_index(["torch.fx"])), tell)
    except FxanchorError as error:
        print(f"error {error.exit_code}: {error}")
        return error.exit_code
    print(f"stopped {outcome.stopped} quitted {outcome.quitted} error [{outcome.error}] notes {list(outcome.notes)}")
    return 0


def tell(text: str) -> None:
    """Say what is being done."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
