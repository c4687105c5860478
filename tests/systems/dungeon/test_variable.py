"""Variable initiative agrees with a naive track in random fights (TRK-14 to TRK-19)."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.systems.dungeon.oracle_variable import Row, Track

MINDS = {"Ana": 9, "Bo": 8, "Orcs": 7, "Wolves": 6}
PEOPLE = {"Ana": ["Ana"], "Bo": ["Bo"], "Orcs": ["Orc 1", "Orc 2"], "Wolves": ["Wolf 1", "Wolf 2"]}


def _faces(r: Random) -> list[int]:
    return [r.randint(1, 6), r.randint(2, 6)]


def fight(seed: int) -> None:
    """Play a fight with both, and compare them after every line."""
    r = Random(seed)
    t = Table("dungeon-track", {"trk.variable": True})
    t.do("add Ana kind=pc int=9 per=0", "add Bo kind=pc int=8", "add 2 Orc group=Orcs int=7")
    t.do("add 2 Wolf group=Wolves int=6", "begin", 'meet Ana vs "Orc 1"')
    rolled = {name: _faces(r) for name in ("Ana", "Orcs", "Bo", "Wolves")}
    rolled["Ana"], rolled["Orcs"] = [1, 2], [6, r.randint(1, 6)]  # the creatures win: by the track at once
    for who, name in (("Ana", "Ana"), ('"Orc 1"', "Orcs")):
        t.do(f"roll {who} {rolled[name][0]} {rolled[name][1]}")
    if t.due()[0].kind == "pick":
        t.do("pick none")
    for name in ("Bo", "Wolves"):
        t.do(f"roll {name} {rolled[name][0]} {rolled[name][1]}")
    track = Track({n: Row(sum(rolled[n]), MINDS[n], list(PEOPLE[n])) for n in rolled})
    log: list[str] = []
    fresh = 0
    for _ in range(r.randint(5, 18)):
        dark = [m for n, x in track.rows.items() if n not in ("Ana", "Bo") for m in x.members]
        groups = [n for n in track.rows if n in ("Orcs", "Wolves", "Imps")]
        who = r.choice(["Ana", "Bo", *dark])
        match r.choice(["next", "next", "next", "hit", "hit", "kill", "join", "new"]):
            case "hit":
                line = f'hit "{who}"'
                t.do(line)
                track.hit(who)
            case "kill" if len(dark) > 2:
                victim, by = r.choice(dark), r.choice(["Ana", "Bo"])
                line = f'kill "{victim}" by={by}'
                t.do(line)
                track.kill(victim, by)
            case "join" if groups and len(track.acting) < 2:
                mover, name = r.choice(dark), r.choice(groups)
                if mover in track.rows[name].members:
                    continue
                line = f'group "{mover}" {name}'
                t.do(line)
                track.join(mover, name)
            case "new" if fresh < 3:
                fresh += 1
                name, row = f"Imp {fresh}", r.choice([*groups, "Imps"])
                hero, imp = _faces(r), _faces(r)
                line = f'add "{name}" int=5 group={row}; place vs Bo {hero} {imp}'
                t.do(f'add "{name}" int=5 group={row}', f'place "{name}" vs Bo')
                t.do(f"roll Bo {hero[0]} {hero[1]}", f'roll "{name}" {imp[0]} {imp[1]}')
                track.newcomer(name, row, sum(imp), 5, won=sum(imp) > sum(hero))
                if track.acting and name in track.acting[-1][1]:
                    t.do(f'turn "{name}"')
            case _:
                line = "next"
                t.do(line)
                track.next()
        log.append(line)
        said = f"{seed}: {rolled}\n" + "\n".join(log)
        got = [(x["entry"], x["value"]) for x in t.state()["track"] if x["state"] != "out"]
        assert got == track.order(), f"{got}, not {track.order()}: {said}"
        people = [t.encounter.combatants[k] for k in t.encounter.actors]
        acting = sorted(c.name for c in people if not c.out)
        assert acting == sorted(track.acting[-1][1] if track.acting else []), f"{acting} act: {said}"


@cases(600)
@given(seed=st.integers(0, 10**9))
def test_the_track_agrees_with_a_naive_one(seed: int) -> None:
    fight(seed)
