"""One game at the terminal: people and agents in turn, with take-back, hints and saving."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import forbidden_games as fg
from forbidden_games.cli import order, prompt, rules, terminal
from forbidden_games.cli.autosave import shown
from forbidden_games.cli.handover import Handover
from forbidden_games.cli.options import CommandError
from forbidden_games.cli.saving import may_write
from forbidden_games.cli.telling import Entry, report_lines, score_table
from forbidden_games.cli.terminal import QuitError
from forbidden_games.match import choose

if TYPE_CHECKING:
    from forbidden_games import Action, Match
    from forbidden_games.cli.autosave import Autosave
    from forbidden_games.cli.seats import Seat
    from forbidden_games.cli.terminal import Screen


class Session:
    """Plays a match to its end, or until a person leaves."""

    def __init__(
        self, match: Match, seats: Sequence[Seat], screen: Screen, keep: Autosave, *, hint: str, open_hands: bool
    ) -> None:
        """Nothing is shown yet."""
        self.match = match
        self.seats = list(seats)
        self.screen = screen
        self.keep = keep
        self.hint = hint
        self.handover = Handover(match, seats, screen, open_hands=open_hands)
        self.focus: str | None = None
        self.waiting = ""
        """A line that was typed where Enter was asked for, and is carried out next."""
        self.completing = False
        """Whether an action is being typed; at other questions Tab must not tell what somebody else holds."""

    # ---- The course of a game -------------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Plays; whether the game came to its end."""
        self._keep()
        try:
            with ExitStack() as stack:
                if self.handover.secret:
                    stack.enter_context(terminal.alternate_screen())
                stack.enter_context(terminal.redrawing(self._come_back))
                _with_completion(self)
                self._play()
        except QuitError:
            self._keep()
            self._say_how_to_resume()
            return False
        except BaseException:
            with suppress(Exception):
                self._keep()
                terminal.say()
                self._say_how_to_resume()
                if self.keep.problem is not None:
                    terminal.warn(f"warning: {self.keep.problem}")
            raise
        self._finish()
        return True

    def _play(self) -> None:
        self.handover.begin()
        while (player := self.match.current_player) is not None:
            seat = self.seats[player]
            if seat.is_human:
                self._person_decides(seat)
            else:
                self._agent_decides(seat)
        if self.handover.secret:
            if self.handover.viewer is not None:
                self._draw(self.handover.viewer, marked=False)
            terminal.say_lines(score_table(self.match, self.handover.labels))
            self.handover.wait("The game is over: Enter clears the screen")

    def _agent_decides(self, seat: Seat) -> None:
        assert seat.agent is not None
        if self.screen.interactive:
            print(f"{seat.label} is thinking ...", end="", flush=True)
        action = choose(seat.agent, self.match, seat.number)
        if self.screen.interactive:
            print("\r\x1b[K", end="", flush=True)
        self._play_action(action)

    def _play_action(self, action: Action | str | int, *, echo: bool = False) -> None:
        """Plays an action, saves the game, then shows the events; `echo` shows the proper form of the action first."""
        player = self.match.current_player
        assert player is not None
        ply = self.match.ply
        self.match.play(action)
        self.focus = None
        entry = Entry(ply, player, str(self.match.last_action), tuple(self.match.events))
        self.handover.add(entry)
        self._keep()  # before anything is told: what a person has read is in the file
        if echo:
            terminal.say(f"= {entry.action}")
        self.handover.tell_last()

    def _finish(self) -> None:
        if not self.handover.secret:
            self._draw(self.handover.people[0], marked=False)
        terminal.say_lines(score_table(self.match, self.handover.labels))
        if self.keep.is_kept:
            terminal.say(f"record: {shown(str(self.keep.path))}")
            terminal.say(f"see it again: forbidden-games replay {shown(shlex.quote(self.keep.name))}")

    def _keep(self) -> None:
        """Saves the game. A game without a single move makes no new file."""
        if self.keep.path is not None or any(isinstance(step, fg.Action) for step in self.match.history):
            self.keep.save(self.match.record.to_text(), self.match.ply)

    def _say_how_to_resume(self) -> None:
        terminal.say_lines(self.keep.how_to_go_on())

    # ---- A person's decision --------------------------------------------------------------------------------------------

    def _person_decides(self, seat: Seat) -> None:
        self.handover.make_viewer(seat)
        self._draw(seat.number)
        start = self.match.ply
        while self.match.current_player == seat.number and self.match.ply == start:
            phase = self.match.state.phase
            only = f", only {self.match.legal_actions[0]}" if len(self.match.legal_actions) == 1 else ""
            line, self.waiting = self.waiting or self._ask(f"{seat.label}, {phase}{only}> "), ""
            if not line and only:
                self._play_action(self.match.legal_actions[0])
            elif not line:
                terminal.say("type an action; ? for help")
            elif self._read(line, seat):
                return

    def _ask(self, question: str) -> str:
        """Reads a line at the prompt."""
        self.completing = True
        try:
            return terminal.read_line(question, self.screen).strip()
        except EOFError:
            raise QuitError from None
        finally:
            self.completing = False

    def _read(self, line: str, seat: Seat) -> bool:
        """Plays or obeys a line; whether the position has changed by a command.

        A word without its colon is a command if it is not a notation of the game.
        """
        found = prompt.command(line)
        if found is not None and not line.startswith((":", "?")):
            reading = prompt.read(line, self.match.information_state(seat.number), self.match.state)
            if not isinstance(reading, prompt.Refusal):
                found = None
        if isinstance(found, prompt.Command):
            return self._obey(found.name, found.rest, seat)
        if isinstance(found, prompt.Refusal):
            terminal.say(found.reason)
        else:
            self._act(line, seat)
        return False

    def _act(self, line: str, seat: Seat) -> None:
        """Plays the actions of a line in order, up to the first that cannot be played."""
        parts = [part.strip() for part in line.split(";") if part.strip()]
        if not parts:
            terminal.say("type an action; ? for help")
        known = -1  # parts before this one have the order in which they can be played
        for number in count():
            if number >= len(parts):
                return
            if number > known and self.match.current_player == seat.number:
                found = order.find(parts[number:], self.match)
                if found is not None:
                    self._take_back_own(found.back)
                    parts[number:] = found.lines
                    known = number + found.moved - 1
                    terminal.say(f"= {'; '.join(found.lines[: found.moved])}")
            part = parts[number]
            if self.match.current_player != seat.number:
                terminal.say(f"not played, the turn has gone on: {terminal.clean('; '.join(parts[number:]))}")
                return
            info = self.match.information_state(seat.number)
            reading = prompt.read(part, info, self.match.state)
            if isinstance(reading, prompt.Play):
                self._play_action(reading.action, echo=reading.echo and number > known)
                continue
            if isinstance(reading, prompt.Part):
                self._show_part(reading.actions, seat.number)
            else:
                terminal.say(terminal.clean(reading.reason, 500))
            if number + 1 < len(parts):
                terminal.say(f"not played: {terminal.clean('; '.join(parts[number:]))}")
            return

    def _show_part(self, actions: list[Action], player: int) -> None:
        groups = {action.group for action in actions}
        focus = groups.pop() if len(groups) == 1 else self.focus
        terminal.say("\n" + self._picture(player, actions, focus))
        self._page(prompt.numbered(actions, self.match.legal_actions, self.screen.width))

    def _take_back_own(self, number: int) -> None:
        """Takes the last own actions of this turn back, to play them again in another order."""
        for _ in range(number):
            self.match.undo()
        self.handover.forget_taken_back()

    def _page(self, lines: Iterable[str]) -> None:
        """Shows a list; a line typed where it stops is carried out next."""
        self.waiting = terminal.page(lines, self.screen)

    def _obey(self, command: str, rest: str, seat: Seat) -> bool:
        """Carries a command out; whether the position has changed."""
        if command == ":help":
            terminal.say_lines(prompt.help_lines(self.match.information_state(seat.number)))
        elif command == ":moves":
            legal = self.match.legal_actions
            chosen = prompt.containing(rest, legal) if rest else list(legal)
            if chosen:
                self._page(prompt.numbered(chosen, legal, self.screen.width))
            else:
                terminal.say(f"no legal action has {terminal.clean(rest)} in it")
        elif command == ":hint":
            self._give_hint(seat, rest or self.hint)
        elif command == ":undo":
            return self._undo(seat)
        elif command == ":save":
            self._save(rest)
        elif command == ":view":
            if rest and not self.match.game.is_square(rest):
                legal = self.match.legal_actions
                terminal.say(f"no square is called {terminal.clean(rest, 40)}: expected one as in {legal[len(legal) // 2]}")
                return False
            self.focus = rest or None
            self._draw(seat.number)
        elif command == ":rules":
            page = self.match.game.rules
            lines = rules.find(page, rest) if rest else rules.in_short(page)
            self._page(lines or [f"the rules say nothing about {terminal.clean(rest)}"])
        elif command == ":quit":
            raise QuitError
        return False

    def _give_hint(self, seat: Seat, spec: str) -> None:
        info = self.match.information_state(seat.number)
        try:
            agent = fg.agent(spec)
            if isinstance(agent, fg.SearchAgent):
                report = agent.search(info, seed=fg.agent_seed(self.match.seed, seat.number, self.match.ply))
                lines = [f"{agent}: {report.action}", *report_lines(report, 4)]
            else:
                lines = [f"{spec}: {choose(agent, self.match, seat.number)}"]
        except fg.AgentError as error:
            lines = [terminal.clean(str(error), 500)]
        terminal.say("\n".join(lines))

    def _undo(self, seat: Seat) -> bool:
        if not self.match.copy().undo(seat.number):
            terminal.say("there is nothing of yours to take back")
            return False
        for other in self.handover.people:
            asked = self.handover.labels[other]
            if other != seat.number and not terminal.confirm(f"{asked}: may {seat.label} take back?", self.screen):
                terminal.say(f"{asked} does not agree")
                return False
        self.match.undo(seat.number)
        self.handover.forget_taken_back()
        self._keep()
        terminal.say(f"taken back, to ply {self.match.ply}")
        return True

    def _save(self, name: str) -> None:
        if not name:
            self.keep.save(self.match.record.to_text(), self.match.ply)
            if self.keep.is_kept:
                terminal.say(f"record: {shown(str(self.keep.path))}")
            else:
                terminal.say("the game is not kept; :save FILE writes it where you say")
            return
        option, _, rest = name.partition(" ")
        force = option == "--force" and bool(rest.strip())
        name = rest.strip() if force else name
        try:
            path = Path(name).expanduser()
            if not may_write(name, path, self.screen, force=force, way_out=f":save --force {terminal.clean(name)}"):
                return
            self.match.record.save(path)
        except CommandError as error:
            terminal.say(f"not saved: {error}")
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: `~` of somebody unknown
            reason = str(getattr(error, "strerror", None) or error).lower()
            terminal.say(f"not saved: {terminal.clean(reason)}: {terminal.clean(name)}")
        else:
            terminal.say(f"record: {shown(str(path))}")

    # ---- The screen -----------------------------------------------------------------------------------------------------

    def _picture(self, player: int, legal: Sequence[Action], focus: str | None) -> str:
        return self.match.observation(player).draw(
            width=self.screen.width,
            color=self.screen.color,
            ascii=self.screen.ascii,
            focus=focus,
            legal=legal,
            last=self.match.last_action,
        )

    def _draw(self, player: int, *, marked: bool = True) -> None:
        legal = list(self.match.legal_actions) if marked else []
        terminal.say("\n" + self._picture(player, legal, self.focus))

    def _come_back(self) -> None:
        """Draws again after Ctrl-Z."""
        player = self.handover.come_back()
        if player is not None:
            self._draw(player)


def _with_completion(session: Session) -> None:
    """Lets the Tab key complete actions and commands, where the platform has readline."""
    if not session.screen.interactive:
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, number: int) -> str | None:
        if not session.completing:
            return None
        part = text.lstrip()
        if part.startswith(":"):
            found = [command + " " for command in prompt.COMMANDS if command.startswith(part.lower())]
        else:
            legal = session.match.legal_actions
            found = [str(action) for action in (prompt.completions(part, legal) if part else legal)]
        return found[number] if number < len(found) else None

    readline.set_completer_delims(";")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
