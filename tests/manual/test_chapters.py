"""The chapters are true: their tables are the program's, their commands run, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.kit.own_modules import own_modules_apart
from tests.kit.program import Program
from tests.manual.calls import calls
from tests.manual.tables import SYSTEMS, TABLES, documents, filled
from tests.samples import NAMES as EXAMPLES
from tests.samples import scripts
from tui.cli.commands import COMMANDS
from tui.cli.help import write_manual_page
from tui.core.rules.creature_fields import ATTRIBUTES
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.manual import CONTENTS, FOLDER, read_chapter, read_chapters, write_plain_chapter
from tui.store.library.box import CREDITS
from tui.store.library.service import Library
from tui.systems import Registry
from tui.ui.settings.config import load
from tui.ui.state.commands import key_table
from tui.ui.state.settings import Settings

CHAPTERS = [CONTENTS, *(one.name for one in read_chapters())]
WIDTHS = (20, 40, 80, 100)
LONGEST_CHAPTER = 120
"""The most lines of a chapter, with its tables."""


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_the_tables_are_those_of_the_program(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == filled(text), "`python -m tests.manual` writes them again"


def test_no_table_is_empty_and_every_house_rule_and_key_of_a_creature_is_in_one() -> None:
    made = {name: list(make()) for name, make in TABLES.items()}
    # A system need not declare verbs, fields or options of its own.
    own = {f"{kind} {name}" for kind in ("verbs", "fields", "options") for name in SYSTEMS.ids()}
    assert [name for name, rows in made.items() if len(rows) < 2 and name not in own] == []
    listed = "".join(path.read_text(encoding="utf-8") for path in documents())
    keys = [f.key for f in (*COMMON_OPTIONS, *ATTRIBUTES)]
    keys += [f.key for name in SYSTEMS.ids() for f in (*SYSTEMS.get(name).options, *SYSTEMS.get(name).fields)]
    assert [key for key in keys if f"| `{key}` |" not in listed] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_command_of_a_chapter_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOCSIN_SAVES", str(tmp_path / "saves"))
    program = Program(tmp_path)
    for command, *words in calls(read_chapter(name).text):
        assert command == "tocsin", "only this program's commands are run; mark others as ```text"
        ended = program.bare(*words)
        assert (ended.code, ended.err) == (0, ""), shlex.join(words)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_command_of_a_chapter_can_be_copied_from_eighty_columns(name: str) -> None:
    shell = re.findall(r"^```sh\n(.*?)^```", read_chapter(name).text, re.MULTILINE | re.DOTALL)
    assert [line for block in shell for line in block.splitlines() if len(line) > 74] == []


def test_every_chapter_is_in_the_contents_once() -> None:
    files = sorted(path.stem for path in Path(FOLDER).glob("*.md"))
    assert sorted(CHAPTERS) == files


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_link_leads_to_a_file(name: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", read_chapter(name).text) if "://" not in link]
    assert [link for link in links if not (Path(FOLDER) / link).exists()] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_fits_the_terminal_and_loses_no_word(name: str, width: int) -> None:
    text = read_chapter(name).text
    shown = list(write_plain_chapter(text, width))
    wide = [
        row for row in shown if len(row) > width and not row.startswith("    ") and " " in row.strip("- ")
    ]
    assert wide == []
    told = set(re.findall(r"\w+", " ".join(shown).casefold()))
    # Where a table is too wide for columns, its rows stand under each other without the heading.
    prose = re.sub(
        r"<!--.*?-->|```\w*|\]\([^)]*\)|^\|[^\n]*\n\|---[^\n]*$", " ", text, flags=re.DOTALL | re.MULTILINE
    )
    assert {word for word in re.findall(r"\w+", prose.casefold()) if word not in told} == set()


def test_each_kind_of_block_is_written_plainly() -> None:
    markdown, shown = Path(__file__).with_name("plain.txt").read_text(encoding="utf-8").split("\n=== 24\n")
    assert list(write_plain_chapter(markdown, 24)) == shown.splitlines()


def test_every_system_command_and_setting_is_explained() -> None:
    # A system that is dropped in needs no chapter: those of the program are the ones with an example.
    assert {name for name in map(scripts(SYSTEMS).get, EXAMPLES) if name not in CHAPTERS} == set()
    assert {name for name in COMMANDS if f"`tocsin {name}" not in read_chapter("scripts").text} == set()
    settings = {name for name in Settings.__struct_fields__ if name != "faults"}
    assert {name for name in settings if f"| `{name}` |" not in read_chapter("settings").text} == set()


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_read_in_a_minute(name: str) -> None:
    assert (Path(FOLDER) / f"{name}.md").read_text(encoding="utf-8").count("\n") <= LONGEST_CHAPTER


def blocks(language: str) -> list[str]:
    """The blocks of code of the chapters on own systems."""
    text = "".join(read_chapter(name).text for name in ("own-systems", "how-systems-work"))
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("place", "name", "lines", "acting"),
    [
        (
            0,
            "ladder",
            "add Ana kind=pc rung=3; add Orc rung=5; begin; next; next; next",
            ["Orc", "Ana", "Orc"],
        ),
        (
            1,
            "momentum",
            "add Ana kind=pc speed=3; add Orc; begin; roll Ana 2 3; roll Orc 3 4; next; end; next",
            ["Ana", "", "Orc"],
        ),
    ],
)
def test_the_systems_of_the_chapter_run(
    tmp_path: Path, place: int, name: str, lines: str, acting: list[str]
) -> None:
    (tmp_path / f"{name}.py").write_text(blocks("python")[place], encoding="utf-8")
    program = Program(tmp_path)
    program.systems = Registry([str(tmp_path)])
    acted = []
    with own_modules_apart():
        assert program.systems.problems() == ()
        assert program.call("new", "--system", name).code == 0
        for line in lines.split("; "):
            assert program.do(line).code == 0
            acted.append(program.state()[0]["acting"])
    assert acted[-3:] == acting
    assert program.state()[0]["phase"] == "turns"


def test_the_package_of_the_chapter_brings_its_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip lays it out: the folders of the package, and the entry points beside them."""
    (made,) = map(tomllib.loads, blocks("toml"))
    groups = made["project"]["entry-points"]
    for folder in ("", *(x.partition(".")[2] for group in groups.values() for x in group.values())):
        (tmp_path / "ourtable" / folder).mkdir(parents=True)
        (tmp_path / "ourtable" / folder / "__init__.py").write_text("")
    (tmp_path / "ourtable" / "systems" / "momentum.py").write_text(blocks("python")[1], encoding="utf-8")
    info = tmp_path / "ourtable-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ourtable\nVersion: 1.0\n")
    points = [(group, f"{name} = {value}") for group, some in groups.items() for name, value in some.items()]
    (info / "entry_points.txt").write_text("".join(f"[{group}]\n{line}\n" for group, line in points))
    monkeypatch.syspath_prepend(str(tmp_path))
    with own_modules_apart():
        systems = Registry()
        assert systems.get("momentum").title == "Momentum"
        assert systems.problems() == ()


ATTRIBUTION = (
    'includes material from the System Reference Document 5.2.1 ("SRD 5.2.1") by Wizards of the Coast '
    "LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2.1 is licensed under the Creative "
    "Commons Attribution 4.0 International License, available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode. Additionally it includes material from D20 "
    "Tactics v0.2 by Creation Games LLC, available at https://github.com/creationgamesllc/d20-tactics. "
    "D20 Tactics is licensed under the Creative Commons Attribution 4.0 International License, "
    "available at https://creativecommons.org/licenses/by/4.0/legalcode."
)
"""What the README of D20 Tactics asks everybody to write who uses it."""


def manual_page() -> str:
    """Return the manual page, with plain hyphens."""
    return "\n".join(write_manual_page(key_table(), [*SYSTEMS.known()])).replace("\\-", "-")


def test_what_the_licence_of_d20_tactics_asks_for_is_where_it_is_used() -> None:
    top = Path(FOLDER).parents[1]
    page = manual_page()
    texts = (
        (top / "README.md").read_text(encoding="utf-8"),
        read_chapter("chaos").text,
        SYSTEMS.get("chaos").credit,
        page,
    )
    for text in texts:
        assert ATTRIBUTION in " ".join(re.sub("[<>]", "", text).split())


def test_what_the_licences_of_the_creatures_ask_for_is_where_they_are_named(tmp_path: Path) -> None:
    top = Path(FOLDER).parents[1]
    texts = (
        (top / "README.md").read_text(encoding="utf-8"),
        read_chapter("library").text,
        manual_page(),
        Program(tmp_path).bare("creatures").err.replace("tocsin: ", ""),
    )
    for text in texts:
        plain = " ".join(re.sub("[<>]", "", text).split())
        assert all(credit in plain for credit in CREDITS.values())
        assert "Open5e" in plain
        assert "reduced to figures" in plain


def test_a_topic_is_named_by_its_beginning_too(tmp_path: Path) -> None:
    program = Program(tmp_path)
    whole, short, none = program.bare("help", "players"), program.bare("help", "pla"), program.bare("help")
    assert whole == short
    assert whole.out.startswith("Players\n=======\n")
    assert all(one.name in none.out for one in read_chapters())


@pytest.mark.parametrize(
    ("topic", "hint"),
    [
        ("plyaers", "`tocsin help players`"),
        ("do", "`tocsin do --help`"),
        ("tmux", "it is mentioned in: players, slow-lines"),
        ("qqqqqqqq", "chapters: start, keys"),
    ],
)
def test_an_unknown_topic_is_one_line_that_helps(topic: str, hint: str, tmp_path: Path) -> None:
    ended = Program(tmp_path).bare("help", topic)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert hint in ended.err
    assert "chapters: start, keys" in ended.err


def example(name: str) -> str:
    """The block of TOML of a chapter."""
    return read_chapter(name).text.partition("```toml\n")[2].partition("```")[0]


def test_the_examples_of_files_are_read_without_a_fault(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(example("settings"), encoding="utf-8")
    config = load(str(tmp_path))
    assert (config.faults, config.theme) == ((), "light")
    assert config.keys["note"] == ("N", "ctrl+n")
    (tmp_path / "creatures").mkdir()
    (tmp_path / "creatures" / "mine.toml").write_text(example("library"), encoding="utf-8")
    goblin = Library(str(tmp_path), SYSTEMS).creature("goblin")
    assert goblin
    assert (goblin.hp, goblin.hp_dice, goblin.initiative) == (7, "2d6", 2)
