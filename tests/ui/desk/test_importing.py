"""`:import`: what is in files is shown before it is kept; a thread reads, and no key waits for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit import shapes
from tests.kit.keyboard import Player
from tui.store.library.service import Library
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.launch.services import Importer

SYSTEMS = Registry()


class Watched(Importer):
    """An importer whose thread can be waited for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), SYSTEMS, lambda: None)

    def settled(self) -> str:
        """The stage it came to."""
        end = time.monotonic() + 60
        while self.now().stage in ("reading", "keeping") and time.monotonic() < end:
            time.sleep(0.01)
        return self.now().stage


def importing(saves: Path) -> tuple[Player, Watched]:
    saves.mkdir(exist_ok=True)
    imports = Watched(saves)
    p = Player(services=Services(imports=imports))
    p.store.effects = replace(p.store.effects, library=Library(str(saves), SYSTEMS))
    return p, imports


def given(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def test_rows_mapping_and_what_could_not_be_read_are_shown_first(tmp_path: Path) -> None:
    heals = {"name": "Regeneration", "desc": "It regains 5 hit points at the start of its turn."}
    other = {**shapes.LURKER, "name": "Zorn", "skills": {}, "dexterity": 10, "actions": [heals]}
    given(tmp_path / "in", "a.json", shapes.packed([shapes.LURKER, other]))
    given(tmp_path / "in", "b.txt", b"only words")
    p, imports = importing(tmp_path / "saves")
    p.size = (120, 24)
    p.press(":", f"'import {tmp_path / 'in'}'", "enter")
    assert imports.settled() == "read"
    shown = " ".join(p.text().split())
    assert "Open5e: 2 creatures" in shown
    assert "hit points from hit_points, " in shown
    assert "Stealth from skills.stealth (1), passive" in shown
    assert "everything else is kept as the card" in shown
    assert "b.txt: this is text without a stat block" in shown
    assert "> Bog Lurker 22 13 +2" in shown
    p.press("enter")
    shown = " ".join(p.text().split())
    assert "hit points 22 (4d8+4), AC 13, initiative 2" in shown
    p.press("enter")
    assert "> Zorn 22 13 +0 My Bestiary" in " ".join(p.press("j").text().split())
    shown = " ".join(p.press("enter").text().split())
    assert all(x in shown for x in ("initiative 0", "source My", "regeneration at=start heal=5"))
    assert not (tmp_path / "saves" / "creatures").exists()


def test_a_key_keeps_them_in_the_library(tmp_path: Path) -> None:
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {given(tmp_path, 'a.json', shapes.packed(shapes.LURKER))}'", "enter")
    imports.settled()
    p.press("y")
    assert imports.settled() == "kept"
    assert "kept in creatures/open5e.toml" in p.text()
    p.press("enter", ":", "'add \"bog lurker\"'", "enter")
    assert [c.hp for c in p.store.encounter.combatants.values()] == [22]


def test_a_key_adds_them_to_the_fight_in_one_step(tmp_path: Path) -> None:
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {given(tmp_path, 'a.json', shapes.packed(shapes.LURKER))}'", "enter")
    imports.settled()
    p.press("a")
    assert ([c.name for c in p.store.encounter.combatants.values()], p.store.step) == (["Bog Lurker"], 1)
    assert p.message() == "1 creature joined the fight; Bog Lurker kept in the library"
    assert [path.name for path in (tmp_path / "saves" / "creatures").iterdir()] == ["open5e.toml"]
    p.press("u")
    assert not p.store.encounter.combatants
    other = given(tmp_path, "b.json", shapes.packed({**shapes.LURKER, "hit_points": 30}))
    for says in (
        "1 creature joined the fight",
        'Bog Lurker is already there; add 1 "Bog Lurker" numbers the next one',
    ):
        p.press(":", f"'import {other}'", "enter")
        imports.settled()
        assert p.press("a").message() == says
    fight = given(
        tmp_path, "c.json", shapes.sample("improved-initiative-encounter").replace(b"Lurker", b"Elk")
    )
    p.press("escape", ":", f"'import {fight}'", "enter")
    imports.settled()
    assert p.press("a").message() == "1 creature joined the fight; Bog Elk kept in the library"
    fight = given(tmp_path, "d.json", shapes.sample("improved-initiative-fight").replace(b"Lurker", b"Rat"))
    p.press(":", f"'import {fight}'", "enter")
    imports.settled()
    assert p.press("a").message() == "7 creatures joined the fight"
    came = {c.name: (c.hp, c.temp_hp, len(c.conditions)) for c in p.store.encounter.combatants.values()}
    assert (came["Bog Rat"], came["Ana"]) == ((3, 2, 1), (7, 3, 0))
    many = given(tmp_path, "many.md", b"```encounter\ncreatures:\n  - 3: Bog Rat, 9, 12\n```\n")
    p.press(":", f"'import {many}'", "enter")
    imports.settled()
    assert "> 3 Bog Rat" in p.text()
    assert p.press("a").message().startswith("3 creatures joined the fight")
    assert len(list((tmp_path / "saves" / "creatures").iterdir())) == 2
    (tmp_path / "saves" / "creatures").rename(tmp_path / "saves" / "old")
    (tmp_path / "saves" / "creatures").write_text("")
    hen = given(tmp_path, "e.json", shapes.packed({**shapes.LURKER, "name": "Hen"}))
    p.press(":", f"'import {hen}'", "enter")
    imports.settled()
    assert p.press("a").message().startswith("1 creature joined the fight; not kept in the library: ")
    assert "quote" in p.press(":", "'import \"in'", "enter").message()


@pytest.mark.parametrize("key", ["a", ":"])
def test_a_stat_block_that_is_pasted_opens_the_import(tmp_path: Path, key: str) -> None:
    p, imports = importing(tmp_path / "saves")
    p.press(key).desk.paste(
        "Bog Lurker\nLarge beast, unaligned\nArmor Class 13\nHit Points 22 (4d8 + 4)\nActions\n"
        "Multiattack. It bites twice.\n"
        "Bite. Melee Weapon Attack: +4 to hit, reach 5 ft. Hit: 5 (1d6 + 2) piercing damage.\n"
    )
    assert imports.settled() == "read"
    assert "a stat block as text: 1 creature" in p.text()
    shown = " ".join(p.text().split())
    assert "> Bog Lurker 22 13 Bite +4" in shown
    assert "Keep them? [y] in the library; [a] and in this fight" in shown, "Now says what the list wants"
    p.press("a")
    assert [(c.name, c.hp) for c in p.store.encounter.combatants.values()] == [("Bog Lurker", 22)]
    assert p.store.step == 1


def test_a_stat_block_of_one_line_that_is_pasted_opens_the_import(tmp_path: Path) -> None:
    p, imports = importing(tmp_path / "saves")
    p.press("a").desk.paste("Bog Ogre: AC 15, HD 4+1, hp 19, #AT 1, D 1-10")
    assert imports.settled() == "read"
    p.press("a")
    assert [(c.name, c.hp, c.ac) for c in p.store.encounter.combatants.values()] == [("Bog Ogre", 19, 15)]


def test_another_of_the_name_is_exchanged_only_by_its_own_key(tmp_path: Path) -> None:
    p, imports = importing(tmp_path / "saves")
    for hp, keys in ((22, ["y"]), (30, ["y"])):
        path = given(tmp_path, f"{hp}.json", shapes.packed({**shapes.LURKER, "hit_points": hp}))
        p.press(":", f"'import {path}'", "enter")
        imports.settled()
        p.press(*keys)
        imports.settled()
        if hp == 22:
            p.press("enter")
    assert imports.now().stage == "read"
    assert "the library has another Bog Lurker" in " ".join(p.text().split())
    assert "[o] replaces them" in " ".join(p.text().split())
    p.press("o")
    assert imports.settled() == "kept"
    found = Library(str(tmp_path / "saves"), SYSTEMS).creature("bog lurker")
    assert found is not None
    assert found.hp == 30


def test_beside_a_known_creature_the_others_are_kept_and_a_file_without_any_is_refused(
    tmp_path: Path,
) -> None:
    two = [{**shapes.LURKER, "hit_points": 30}, {**shapes.LURKER, "name": "Zorn"}]
    files = {"a.json": shapes.packed(shapes.LURKER), "b.json": shapes.packed(two), "c.txt": b"only words"}
    p, imports = importing(tmp_path / "saves")
    told = []
    for name, data in files.items():
        p.press("escape", ":", f"'import {given(tmp_path, name, data)}'", "enter")
        if imports.settled() == "read":
            assert not p.press("y").message(), "a key that keeps them does something"
        told.append(f"{imports.settled()}: {' '.join(p.text().split())}")
    skipped = "kept in creatures/open5e-2.toml; 1 stays as the library has it: Bog Lurker; [o] replaces them"
    assert [x.partition(":")[0] for x in told] == ["kept", "read", "refused"]
    assert skipped in told[1]
    assert "c.txt: this is text without a stat block; a stat block has" in told[2]
    assert p.press("enter").desk.view.mode is None


def test_of_two_of_one_name_the_last_is_kept_by_a_key(tmp_path: Path) -> None:
    given(tmp_path / "in", "a.json", shapes.packed(shapes.LURKER))
    given(tmp_path / "in", "b.json", shapes.packed({**shapes.LURKER, "hit_points": 30}))
    given(tmp_path / "in", "c.txt", b"only words")
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {tmp_path / 'in'}'", "enter")
    assert imports.settled() == "read"
    shown = " ".join(p.text().split())
    assert "Open5e: 2 creatures 2 not taken, named below Creature" in shown
    assert "Not imported: same name as an earlier one ([o] takes the last of each): 1" in shown
    assert "Bog Lurker: from in/a.json, not from in/b.json" in shown
    p.press("o")
    assert imports.settled() == "kept"
    found = Library(str(tmp_path / "saves"), SYSTEMS).creature("bog lurker")
    assert found is not None
    assert found.hp == 30


@pytest.mark.parametrize("keys", [[], ["y"]])
def test_a_fault_over_a_strangers_file_ends_the_import_and_not_the_fight(
    tmp_path: Path, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise TypeError("a word of the file")

    monkeypatch.setattr(Library, "stock_creatures", fails)
    if not keys:
        monkeypatch.setattr("tui.store.library.importing.read_files", fails)
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {given(tmp_path, 'a.json', shapes.packed(shapes.LURKER))}'", "enter")
    imports.settled()
    p.press(*keys)
    assert imports.settled() == "refused"
    shown = " ".join(p.text().split())
    assert "a bug (TypeError); nothing was kept" in shown
    assert "a word of the file" not in shown


def test_keys_do_not_wait_and_escape_stops_the_reading(tmp_path: Path) -> None:
    many = [{**shapes.LURKER, "name": f"Lurker {i}"} for i in range(3_000)]
    for i in range(4):
        given(tmp_path / "in", f"{i}.json", shapes.packed(many))
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {tmp_path / 'in'}'", "enter")
    for _ in range(5):
        p.press("j")
    assert imports.now().stage == "reading"
    assert p.press("z").message() == "Esc stops it"
    p.press("escape")
    assert (p.desk.view.mode, p.message()) == (None, "the import was stopped; nothing was kept")
    time.sleep(0.2)
    assert imports.now().harvest is None, "what nobody waits for is not told later"


def test_paths_are_completed_and_quoted(tmp_path: Path) -> None:
    given(tmp_path / "my files", "goblins.json", b"{}")
    p, _ = importing(tmp_path / "saves")
    p.press(":", f"'import {tmp_path}/my'", "tab")
    assert f'import "{tmp_path}/my files/' in p.desk.view.mode.editor.text  # type: ignore[union-attr]
    p.press("tab")
    assert p.desk.view.mode.editor.text == f'import "{tmp_path}/my files/goblins.json"'  # type: ignore[union-attr]
    p.press(f"' {tmp_path}/my'", "tab")
    assert p.desk.view.mode.editor.text.endswith(f'.json" "{tmp_path}/my files/')  # type: ignore[union-attr]


def test_what_was_not_read_is_scrolled_to_its_end(tmp_path: Path) -> None:
    given(tmp_path / "in", "a.json", shapes.packed([shapes.LURKER]))
    for n in range(10, 40):
        given(tmp_path / "in", f"b{n}.txt", b"only words")
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {tmp_path / 'in'}'", "enter")
    assert imports.settled() == "read"
    assert "b39.txt" not in p.text()
    assert "b39.txt" in p.press("G").text()


def test_twenty_thousand_are_scrolled_without_being_laid_out(tmp_path: Path) -> None:
    rows = "name,hp,ac\n" + "".join(f"Wolf {i},{i % 90 + 1},12\n" for i in range(20_000))
    p, imports = importing(tmp_path / "saves")
    p.press(":", f"'import {given(tmp_path, 'a.csv', rows.encode())}'", "enter")
    assert imports.settled() == "read"
    p.press("G")
    assert "Wolf 19999" in p.text()
    p.picture()
    p.press("g")
    assert "CSV or TSV: 20000 creatures" in p.text()
