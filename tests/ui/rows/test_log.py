"""The log: a step names who it is about once, and a name that begins like another is another."""

from __future__ import annotations

from tests.kit.keyboard import Player


def log(p: Player) -> str:
    return " ".join(" ".join(p.picture()["log"]).split())


def test_messages_of_a_step_about_one_creature_name_it_once() -> None:
    lines = (
        "option zero.pc=dying",
        "add Ana owner=Mia hp=9",
        "add Orc hp=9",
        "begin",
        "roll Ana 20",
        "roll",
        "next",
    )
    p = Player(lines=[*lines, "damage Ana 9"])
    assert "Ana takes 9 damage: 0 left · is dying" in log(p)
    assert "Ana's turn ends · Ana owes" in log(
        Player(lines=[*lines, "condition Ana slow save=wis dc=15", "next"])
    )


def test_a_verb_alone_keeps_its_name() -> None:
    lines = ("add Ana side=red", "add Bo side=blue", "begin", "surprised Ana", "roll red 9", "roll blue 3")
    assert "(UNB-17) · Ana acts" in log(Player("unbound", [*lines, "turn Ana"]))


def test_of_several_none_is_named_for_all() -> None:
    lines = ("add Ana side=red", "add Bo side=blue", "begin", "lock missing=empty", "roll Ana 9", "roll Bo 3")
    p = Player("chaos", [*lines, "add 2 Guard side=red"])
    assert "join the red · Guard 1 acts from the next round on" in log(p)


def test_a_message_about_another_creature_names_it() -> None:
    two = Player(lines=("add Orc hp=9", 'add "Orc King" hp=9', "begin", 'damage Orc,"Orc King" 4'))
    assert "Orc takes 4 damage: 5 left · Orc King takes 4 damage: 5 left" in log(two)
