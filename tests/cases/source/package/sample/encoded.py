# -*- coding: latin-1 -*-
"""Another encoding."""

möglich = "é"  # def: sample.encoded.möglich attribute
