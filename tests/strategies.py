"""Pools of awkward values, shared by the laws."""

from __future__ import annotations

from hypothesis import strategies as st

from tui.core.fight.text import clean_name
from tui.core.language import actions as a

AWKWARD = [
    "Orc 1",
    "Bo",
    "O'Hara",
    "Zoë",
    "龍",
    "5",
    "none",
    "x=y",
    "#1",
    "a\\b",
    "-",
    "with",
    "Ana Maria",
    "[/]",
    "*",
    "@x",
    "Orc,Bo",
]
names = st.sampled_from(AWKWARD) | st.text(min_size=1, max_size=12).map(clean_name).filter(
    lambda n: bool(n.strip()) and '"' not in n
)
words = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"], include_characters=' "\\'
    ),
    max_size=20,
)
keys = st.dictionaries(st.sampled_from(["hp", "side", "per", "trk.tie", "movement"]), words, max_size=3)
some_keys = keys.filter(bool)
amounts = st.sampled_from(["3", "2d8+2", "1d6", "10"])
scales = st.sampled_from(["", "/2", "*2"])
small = st.integers(1, 999)
line = words.map(str.strip).filter(bool)


def _own() -> st.SearchStrategy[a.Action]:
    plain = st.lists(names, max_size=3).map(tuple)
    return st.builds(a.OwnVerb, st.just("meet"), plain, keys)


actions: st.SearchStrategy[a.Action] = st.one_of(
    st.builds(a.Add, names, st.sampled_from(["", "5", "2d4"]), keys),
    st.builds(a.Party, line, st.sampled_from(["party", "load"])),
    st.builds(a.Set, names, some_keys),
    st.builds(a.Remove, names),
    st.builds(a.Rename, names, names),
    st.builds(a.Group, names, st.just("") | names),
    st.builds(a.Hide, names, st.booleans()),
    st.builds(a.Damage, names, amounts, scales),
    st.builds(a.Heal, names, amounts, scales),
    st.builds(a.Temp, names, amounts, scales),
    st.builds(
        a.Afflict,
        names,
        names,
        st.integers(0, 99),
        st.sampled_from(["", "start", "end"]),
        st.just("") | names,
    ),
    st.builds(a.Clear, names, names),
    st.builds(a.Out, names, st.booleans()),
    st.builds(a.Roll, names, st.lists(st.integers(1, 20), max_size=3).map(tuple)),
    st.builds(a.Roll),
    st.builds(a.Pick, st.lists(names.filter(lambda n: n.lower() != "none"), max_size=3).map(tuple)),
    st.builds(a.Order, names, keys),
    st.builds(a.Lock, st.sampled_from(["", "empty"])),
    st.builds(a.TakeTurn, names),
    st.builds(a.Hold, names, st.booleans()),
    st.builds(a.Move, names, st.sampled_from(["before", "after"]), names),
    st.builds(a.React, names, st.just("") | line),
    st.builds(a.Option, some_keys),
    st.builds(a.System, names),
    st.builds(a.Note, line),
    st.builds(a.Undo, small),
    st.builds(a.Redo, small),
    st.builds(a.Goto, st.integers(0, 999)),
    st.sampled_from([a.Begin(), a.Unlock(), a.Next(), a.Pass(), a.End(), a.Ok()]),
    _own(),
)
