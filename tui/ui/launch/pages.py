"""Start and stop the pages of the fight on the screen, and show their addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.listening import LISTEN_EXAMPLE, read_listen
from tui.store.addresses import is_valid, read_kept
from tui.store.session import Session
from tui.ui.desk.base import BaseDesk
from tui.ui.terminal.loop import Scheduler

if TYPE_CHECKING:  # most fights are not served: nothing of it is loaded before that
    from tui.serve.service import PageService, Wanted

USAGE = "serve [ADDRESS:PORT|off|new [NAME]]"


class PageScreen(Struct, frozen=True):
    """The screen beside the pages: its loop, how it is drawn again, whether its ground is dark."""

    loop: Scheduler
    redraw: Callable[[], None] = lambda: None
    is_dark: Callable[[], bool] = lambda: True


class FightPages:
    """The pages of one fight that this process writes."""

    def __init__(
        self, session: Session, screen: PageScreen, desk: Callable[[], BaseDesk], setting: str
    ) -> None:
        """Serve nothing yet; `setting` is the address of the settings, or ""."""
        self._session, self._screen, self._desk, self._setting = session, screen, desk, setting
        self._service: PageService | None = None
        self._known = False  # the players have the addresses

    def start(self, wanted: Wanted) -> None:
        """Serve the fight. Raises RuleError."""
        from tui.serve.service import PageService

        self.stop()
        screen, path = self._screen, self._session.path
        self._known = not wanted.new and is_valid(read_kept(path), path)
        self._service = PageService(self._session, screen.loop, self._notify, wanted, screen.redraw)
        if remarks := self._service.remarks:
            self._notify("; ".join(remarks))

    def start_by_setting(self) -> None:
        """Serve a fight that was served before, if the settings say so; name the word for any other."""
        if not self._setting or self.running:
            return
        if not is_valid(read_kept(self._session.path), self._session.path):
            self._notify("`:serve` opens this fight to players' phones")
            return
        from tui.serve.service import Wanted

        try:
            self.start(Wanted(*read_listen(self._setting)))
        except RuleError as error:
            self._notify(f"{error.message}: the pages are not served")

    @property
    def running(self) -> bool:
        """Whether the fight is served."""
        return self._service is not None and not self._service.closed

    def status(self) -> str:
        """Return the words of the header: how many pages are open; "" if the fight is not served."""
        if self._service is None or self._service.closed:
            return ""
        return f"{sum(self._service.looking.values())} looking"

    def present(self) -> frozenset[str]:
        """Return the names of the players whose pages are open, in lower case."""
        looking = self._service.looking if self.running and self._service else {}
        return frozenset(name for name, pages in looking.items() if name and pages)

    def synced(self) -> None:
        """Answer the lines that are on the disk now."""
        if self._service is not None:
            self._service.synced()

    def moved(self, path: str) -> None:
        """Take the addresses along to another file."""
        if self._service is not None:
            self._service.moved(path)

    def stop(self) -> None:
        """End the serving."""
        if self._service is not None:
            self._service.close()
        self._service = None

    def word(self, rest: str) -> str:
        """Run the word `serve`, and return a notice. Raises RuleError."""
        from tui.serve.service import Wanted

        verb, _, name = rest.strip().partition(" ")
        match verb:
            case "off" | "new" if not self.running:
                raise RuleError("the pages are not served", "`serve` starts it")
            case "off":
                self.stop()
                return "the pages are no longer served; their addresses stay"
            case "new":
                assert self._service is not None
                self._service.renew(name.strip() or None)
            case "":
                if not self.running:
                    self.start(Wanted(*read_listen(self._setting)) if self._setting else Wanted())
            case _:
                self.start(Wanted(*read_listen(rest.strip())))
        self.show()
        return ""

    def offer(self) -> None:
        """Show the addresses, or how to see them if they would take the keys of what is being typed."""
        view = self._desk().view
        if not self.running:
            return
        if view.mode or view.count or self._known:
            self._notify("the fight is served: `:serve` shows the addresses")
        else:
            self.show()
            self._screen.redraw()

    def show(self) -> None:
        """Show the addresses on the screen."""
        from tui.serve.listening import qr_rows
        from tui.ui.modes.addresses import Address, AddressPage

        assert self._service is not None
        desk, dark = self._desk(), self._screen.is_dark()
        has_code = not desk.settings.glyphs.spoken and not desk.settings.ascii
        addresses = [
            Address(name, url, tuple(qr_rows(url, inverted=dark)) if has_code else ())
            for name, url in self._service.urls
        ]
        desk.show(mode=AddressPage(tuple(addresses), tuple(self._list_remarks())))

    def _list_remarks(self) -> Iterator[str]:
        assert self._service is not None
        if self._service.is_local:
            yield f"Only this machine can open them: `:serve {LISTEN_EXAMPLE}` opens them to your network."
        for remark in self._service.remarks:
            yield f"{remark[:1].upper()}{remark[1:]}."
        yield (
            "Everybody with an address sees what its player may know, and sends that player's lines: "
            "`:serve new NAME` ends an address, `:serve off` the pages."
        )

    def _notify(self, text: str) -> None:
        self._desk().notify(text)
        self._screen.redraw()
