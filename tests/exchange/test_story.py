"""A story has the figures of its journal, its files are safe, and a viewer's has only what was shown."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from tests.kit import two_fights as law
from tests.kit.program import Program
from tests.kit.table import Table
from tests.kit.tiers import share, third_of
from tests.samples import EXAMPLES, NAMES
from tui.cli.export import write_story
from tui.core.fight import events as ev
from tui.core.fight.viewer import viewer_of
from tui.core.language.tokens import quote
from tui.exchange.story.gather import Line, gather_story
from tui.exchange.story.story import Story, load_writers
from tui.exchange.story.writers.markdown import escape_markdown as markdown
from tui.store.opening import open_for_reading
from tui.store.store import Store
from tui.systems import Registry

FORMATS = sorted(load_writers())
HOSTILE = ["<script>alert(1)</script>", "'><img src=x onerror=y>", "=HYPERLINK(1)", "| a | b",
    "](javascript:x)", "&amp;"]  # fmt: skip


def story(store: Store, viewer: str | None = None) -> Story:
    lines = [Line(d.at, d.events) for d in map(store.done, range(1, store.step + 1))]
    return gather_story(store.name, store.at(0), lines, viewer_of(viewer), store.systems)


@cache
def sample(name: str) -> Store:
    return open_for_reading(str(EXAMPLES / f"{name}.toml"), "", Registry())


def written(store: Store, name: str, viewer: str | None = None) -> str:
    return write_story(store, load_writers()[name], viewer)


def fight(*names: str) -> Table:
    """Two rounds' worth: the second is hit by the first, who falls by the second."""
    t, said = Table("classic"), [quote(name) for name in names]
    t.do(*(f"add {name} hp=9 side={'heroes' if i % 2 else 'dark'}" for i, name in enumerate(said)), "begin")
    t.do("roll", dice=[20 - i for i in range(len(names))])
    t.do("next", f"damage {said[1]} 4", "next", f"damage {said[0]} 9", f"heal {said[1]} 1")
    return t


# --- the journal's


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_the_log_is_in_the_story_once_and_in_order(name: str) -> None:
    store = sample(name)
    told = [m.text for step in range(1, store.step + 1) for m in store.messages(step)]
    assert [x for r in story(store).rounds for p in r.passages for x in p.lines] == told


def test_what_a_creature_regains_twice_is_added_up() -> None:
    t = fight("Ana", "Bo")
    t.do("heal Bo 2")
    assert [f.healed for f in story(t.store).figures if f.name == "Bo"] == [3]


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_what_the_journal_adds_up_to(name: str) -> None:
    store = sample(name)
    events = [x for step in range(1, store.step + 1) for x in store.done(step).events]
    found = story(store)
    damage = sum(x.amount for x in events if isinstance(x, ev.Damaged))
    assert sum(f.damage_taken for f in found.figures) == damage
    assert 0 < sum(f.damage_dealt for f in found.figures) <= damage
    assert sum(f.healed for f in found.figures) == sum(x.amount for x in events if isinstance(x, ev.Healed))
    assert sum(f.turns for f in found.figures) == sum(isinstance(x, ev.TurnBegan) for x in events)
    last = {p.who: p.hp for p in found.points}
    here = {c.name: c.hp for c in store.encounter.combatants.values() if c.hp is not None}
    assert last == here
    assert sum(found.players.values()) == sum(f.seconds or 0 for f in found.figures) > 0


def test_ones_own_side_and_the_time_between_turns_give_nothing() -> None:
    t = fight("Orc", "Ana")
    t.do("end", "damage Orc 1", "next", "damage Orc 1")
    orc, ana = story(t.store).figures
    assert (orc.damage_dealt, ana.damage_dealt) == (4, 9)


def test_a_turn_that_goes_on_after_another_interrupted_it_counts_once() -> None:
    t = fight("Orc", "Ana")
    t.do("next", "hold Orc", "next", "act Orc", "end", "end")
    assert [f.turns for f in story(t.store).figures if f.name == "Ana"] == [2]


def test_an_attack_gives_its_own_damage_to_the_attacker_and_no_later_one() -> None:
    t = fight("Orc", "Ana", "Imp")
    t.do('set Imp attacks="Bite +4 2"', "set Ana ac=9", "attack Imp bite Ana face=10", "damage Ana 1")
    dealt = {f.name: f.damage_dealt for f in story(t.store).figures}
    assert dealt == {"Orc": 4, "Ana": 9, "Imp": 2}


# --- safe files


class Tags(HTMLParser):
    """The tags, attributes and words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


TAGS = set(
    "html head meta title style body h1 h2 h3 p table tr th td"  # noqa: SIM905
    " ul li".split()
)
ATTRIBUTES = set(
    "lang charset name content http-equiv".split()  # noqa: SIM905
)


def test_a_page_is_one_file_in_which_names_are_words() -> None:
    page = written(fight(*HOSTILE).store, "html")
    found = Tags()
    found.feed(page)
    assert found.tags <= TAGS
    assert found.attributes <= ATTRIBUTES
    assert not re.search(r"url\(|@import|src=|href=", re.sub(r">[^<]*<", "><", page))
    for name in HOSTILE:
        assert any(name in words for words in found.words), name


def test_markdown_holds_what_it_would_read_as_its_own() -> None:
    text = written(fight(*HOSTILE).store, "md")
    assert "<" not in text.replace("\\<", "")
    table = [row for row in text.splitlines() if row.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in table} == {10}
    assert markdown("1. *a* [b](c) - d") == r"1\. \*a\* \[b\](c) - d"
    assert markdown("- x\ny") == r"\- x y"
    assert markdown("see https://x") == r"see https\://x"


def test_json_is_the_story() -> None:
    store = sample("gate")
    found = story(store)
    plain = {"format": 1, **msgspec.to_builtins(found), "players": found.players}
    assert json.loads(written(store, "json")) == json.loads(json.dumps(plain))


# --- as a player may see it


class Exporting(law.Fight):
    """A fight of which Mia is shown the state and, one after the other, every format."""

    formats = 0

    def page(self) -> bytes:
        self.formats += 1
        return written(self.table.store, FORMATS[self.formats % len(FORMATS)], "Mia").encode()

    def look(self) -> None:
        """Keep no sequence: files are compared at the moments at which the two fights are alike."""


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(Registry().ids(), 0))
def test_what_the_unseen_do_is_in_no_file_of_a_player(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "Fight", Exporting)
    pairs = [(2, 2), (0, 1), (1, 2)]
    moments = [law.compared(system, seed, 25, pairs[seed % 3]) for seed in range(share(10))]
    assert max(moments) > 3


def test_secrets_are_in_the_game_masters_files_and_in_no_players() -> None:
    t = Table("classic")
    t.do(
        "add Ana owner=Mia hp=9",
        'add Lurkmark hp=31 side=dark hidden=yes note="markednote"',
        "add Orc hp=23 side=dark",
    )
    t.do("set Orc card=markedcard", "note markedtext", "alias Orc Brute", "begin")
    t.do("roll", dice=(20, 10, 5))
    t.do("next", "damage Orc 3", "next", "damage Ana 2", "next")
    for name in FORMATS:
        mine, all_ = written(t.store, name, "Mia"), written(t.store, name)
        for word in ("Lurkmark", "markednote", "markedcard", "markedtext", "Orc", "23", "20 left"):
            assert word not in mine, (name, word)
        assert "Lurkmark" in all_
        assert "Ana" in mine
        assert "12:00" not in mine, "no times of day"


# --- from outside


@pytest.fixture
def program(tmp_path: Path) -> Program:
    found = Program(tmp_path, "fight")
    found.call("new")
    found.do("add Ana owner=Mia hp=9", "add Orc hp=7", "begin", "roll", "next", "damage Orc 3", dice=(9, 3))
    return found


def test_a_file_is_new_private_and_never_overwritten_without_a_word(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "story.html"
    assert program.call("export", "--out", str(out)).code == 0
    assert out.read_text().startswith("<!DOCTYPE html>"), "the ending names the format"
    assert out.stat().st_mode & 0o777 == 0o600
    out.write_text("mine")
    ended = program.call("export", "--out", str(out))
    assert (ended.code, out.read_text()) == (1, "mine")
    assert "story.html is already there" in ended.err
    assert program.call("export", "--out", str(out), "--over", "--format", "json").code == 0
    assert out.read_text().startswith("{")
    assert sorted(p.name for p in tmp_path.iterdir() if "story" in p.name) == ["story.html"]


@pytest.mark.parametrize("bad", ["nowhere/story.md", "fight.toml/x.md", "a\0b.md", "x" * 300 + ".md"])
def test_a_bad_path_is_one_line(program: Program, tmp_path: Path, bad: str) -> None:
    for over in ([], ["--over"]):
        ended = program.call("export", "--out", str(tmp_path / bad), *over)
        assert (ended.code, ended.out) == (3, "")
        assert "cannot be written" in ended.err
        assert ended.err.count("\n") == 1


def test_a_link_is_not_written_through(program: Program, tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("mine")
    (tmp_path / "link.md").symlink_to("there.md")
    assert program.call("export", "--out", str(tmp_path / "link.md")).code == 1
    assert (tmp_path / "there.md").read_text() == "mine"


def test_words_that_are_wrong_are_said(program: Program) -> None:
    ended = program.call("export", "--format", "pdf")
    assert ended.code == 2
    assert "there are: html, json, md" in ended.err


def test_standard_output_gets_the_same_bytes(program: Program, tmp_path: Path) -> None:
    for name in FORMATS:
        program.call("export", "--format", name, "--out", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().decode() == program.call("export", "--format", name).out


@pytest.mark.parametrize(
    ("rule", "state", "points"),
    [("word", "bloodied", []), ("none", "", []), ("numbers", "bloodied", [10, 2])],
)
def test_of_others_hit_points_a_viewers_story_says_what_the_house_rule_lets_them_see(
    rule: str, state: str, points: list[int]
) -> None:
    t = Table("classic")
    t.do(f"option view.health={rule}", "add Ana owner=Mia hp=20", "add Orc hp=10", "damage Orc 8")
    told = story(t.store, "Mia")
    assert [f.state for f in told.figures if f.name == "Orc"] == [state]
    assert [p.hp for p in told.points if p.who == "Orc"] == points
    assert [f.state for f in story(t.store).figures if f.name == "Orc"] == ["bloodied"]


# --- how long it takes, and what is shown meanwhile
