"""Systems as a user may write them: one file, and one package that brings everything that a system can
bring."""

from __future__ import annotations

from tui.systems import Registry

REGISTRY = Registry(__path__)
