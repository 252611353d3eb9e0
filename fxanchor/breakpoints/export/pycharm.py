"""Breakpoints as the XML that PyCharm keeps them in."""

from collections.abc import Sequence
from xml.etree import ElementTree

from fxanchor.breakpoints.export.point import Point


def pycharm_xml(points: Sequence[Point]) -> str:
    """Return a project element with the breakpoints; PyCharm counts lines from 0.

    The `XDebuggerManager` component goes into the workspace file of a project, while PyCharm is closed.
    """
    project = ElementTree.Element("project", version="4")
    component = ElementTree.SubElement(project, "component", name="XDebuggerManager")
    manager = ElementTree.SubElement(component, "breakpoint-manager")
    breakpoints = ElementTree.SubElement(manager, "breakpoints")
    for position, point in enumerate(points, start=1):
        line = ElementTree.SubElement(
            breakpoints, "line-breakpoint", enabled="true", suspend="THREAD", type="python-line"
        )
        ElementTree.SubElement(line, "url").text = f"file://{point.path.as_posix()}"
        ElementTree.SubElement(line, "line").text = str(point.line - 1)
        ElementTree.SubElement(line, "option", name="timeStamp", value=str(position))
    ElementTree.indent(project)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(project, encoding="unicode") + "\n"
