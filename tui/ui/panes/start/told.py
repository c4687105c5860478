"""What the start screen says of what the cursor stands on, in words."""

from __future__ import annotations

import time
from typing import assert_never

from tui.ui.state.start.scene import Asked, Refusal, Spot, StartScene, listed_of

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def when(moment: float, now: float) -> str:
    """`today 22:25`, `yesterday`, `17 Nov`, `17 Nov 2025`: local time, for moments in seconds since 1970."""
    then, here = time.localtime(moment), time.localtime(now)
    day, month = then.tm_mday, _MONTHS[then.tm_mon - 1]
    if then[:3] == here[:3]:
        return f"today {then.tm_hour:02}:{then.tm_min:02}"
    # Noon of today less a day: also right on the days on which the clocks change.
    noon = time.mktime((*here[:3], 12, 0, 0, 0, 0, -1))
    if then[:3] == time.localtime(noon - 86_400)[:3]:
        return "yesterday"
    return f"{day} {month}" if then.tm_year == here.tm_year else f"{day} {month} {then.tm_year}"


def detail(scene: StartScene, spot: Spot) -> str:
    """What is known of it; why it cannot be written, while that is asked."""
    if isinstance(scene.view.mode, Refusal):
        return scene.view.mode.why
    match spot.kind:
        case "fight" | "thrown" | "sample":
            return _fight(scene, spot)
        case "system":
            return next((s.summary for s in scene.systems if s.id == spot.key), "")
        case "lesson":
            return "About ten minutes, on a fight of its own that is gone afterwards."
        case "party":
            found = next((p for p in scene.contents.parties if p.path == spot.key), None)
            return found.told if found else ""
        case "trash":
            return "What is thrown away stays there until you delete it outside of this program."
        case "nobody":
            return "[P] adds a party later, [a] one creature after the other."
        case _:
            assert_never(spot.kind)


def _fight(scene: StartScene, spot: Spot) -> str:
    listed = listed_of(scene, spot)
    if listed and listed.problem:
        return listed.problem
    if (brief := scene.briefs.get(spot.key)) is None:
        return ""
    if brief.problem:
        return brief.problem
    steps = f"{brief.steps} step{'s' * (brief.steps != 1)}"
    there = f"{len(brief.people)} here" + (f", {brief.out} out" if brief.out else "")
    told = [steps, there, ", ".join(brief.people)] if brief.people else [steps, brief.stands]
    joint = f" {scene.glyphs.dot} "
    return joint.join(told)


def now_line(scene: StartScene, spot: Spot | None) -> str:
    """What Enter does, or what is being asked."""
    match scene.view.mode:
        case Refusal():
            return f"{spot.name if spot else 'This fight'} cannot be written now"
        case Asked() as asked:
            return _asked(asked)
        case _:
            return _enter(scene, spot) if spot else "Nothing is here: [Esc] goes back"


def _asked(asked: Asked) -> str:
    name = asked.spot.name if asked.spot else ""
    match asked.purpose:
        case "make":
            who = f"{name} play in it" if asked.spot and asked.spot.kind == "party" else name
            return f"What is the new fight called? ({who})"
        case "copy":
            return f"What is the copy of {name} called?"
        case "rename":
            return f"What is {name} called from now on?"
        case "filter":
            return "Letters narrow the list; [Enter] does what the cursor stands on"
        case _:
            assert_never(asked.purpose)


def _enter(scene: StartScene, spot: Spot) -> str:
    new = scene.view.new
    match spot.kind:
        case "fight":
            brief = scene.briefs.get(spot.key)
            return (
                f"[Enter] says what to do about {spot.name}"
                if brief and brief.problem
                else f"[Enter] opens {spot.name}"
            )
        case "system":
            return f"[Enter] makes {new.name}" if new.name else f"[Enter] makes a new fight: {spot.name}"
        case "lesson":
            return f"[Enter] plays the lesson on {spot.name}"
        case "sample":
            return f"[Enter] opens a copy of the sample {spot.name}"
        case "party":
            return (
                f"[Enter] makes {new.name} with {spot.name}"
                if new.system
                else f"[Enter] makes a new fight for {spot.name}"
            )
        case "trash":
            return "[Enter] shows what was thrown away"
        case "thrown":
            return f"[Enter] puts {spot.name} back among the fights"
        case "nobody":
            return f"[Enter] makes {new.name} without a party"
        case _:
            assert_never(spot.kind)


def second_line(scene: StartScene, spot: Spot | None) -> str:
    """What else can be done, or what a question offers."""
    match scene.view.mode:
        case Refusal(taken=taken):
            return "[l] look on without writing" + (" · [t] take over" if taken else "") + " · [Esc] leave it"
        case Asked(purpose="filter"):
            return ""
        case Asked():
            return "[Enter] goes on · [Esc] back"
    if scene.view.new.name:
        return "[Esc] back"
    if scene.welcome:
        return "New here? A lesson shows the keys; or choose a system for your first fight"
    match spot.kind if spot else "":
        case "fight":
            return "[x] puts it into the trash, from where it can come back"
        case "thrown":
            return "[Esc] back to the fights"
        case _:
            return ""
