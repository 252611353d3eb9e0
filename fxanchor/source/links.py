"""Definition -> an address on GitHub that will always show the same lines."""

from fxanchor.source.definition import Definition, Package


def permalink(package: Package, definition: Definition) -> str:
    """Return the address of a definition at the commit that the package was built from, or "".

    Args:
        package: The package, with its commit and repository.
        definition: A definition of it.
    """
    if not package.git_version or not package.repository:
        return ""
    lines = f"#L{definition.line}-L{definition.end_line}"
    return f"{package.repository}/blob/{package.git_version}/{definition.file}{lines}"
