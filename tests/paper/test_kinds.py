"""Font families: the styles of one are told to belong together, and two families are told apart."""

import pytest

from fxanchor.paper.parts.kinds import family


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("CMR10", "CMTI10", True),
        ("CMR10", "CMBX12", True),
        ("SFRM1000", "SFTI1000", True),
        ("CMR10", "CMSS10", False),
        ("CMR10", "CMTT10", False),
        ("NimbusRomNo9L-Regu", "NimbusRomNo9L-ReguItal", True),
        ("TimesNewRomanPSMT", "TimesNewRomanPS-BoldMT", True),
        ("ArialMT", "Arial-BoldMT", True),
        ("LMRoman10-Regular", "LMRoman8-Italic", True),
        ("Times-Roman", "Helvetica", False),
    ],
)
def test_family(one: str, other: str, *, same: bool) -> None:
    assert (family(one) == family(other)) is same
