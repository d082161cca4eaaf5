"""The rules a second time: slow, plain, and written from the rules' text alone, to check the engine against.

Everything is a dict or a list, every step copies the whole board, and nothing is shared with the engine.
"""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import permutations
from typing import Any

Rules = dict[str, Any]
Stack = dict[str, Any]
Board = dict[str, Any]
OTHER = {"J": "O", "O": "J"}


def results(rules: Rules, text: str, values: list[int]) -> list[str]:
    """The sorted positions that a turn with these throws can lead to; none is a pass."""
    board = read(text)
    lines: list[tuple[int, bool, Board]] = []
    for order in set(permutations(values)):
        for after in steps(rules, board, order[0]):
            more = steps(rules, after, order[1]) if len(order) == 2 else []
            if more:
                lines += [(2, True, last) for last in more]
            else:
                lines.append((1, over(after), after))
    most = max((used for used, _, _ in lines), default=0)
    kept = [after for used, ended, after in lines if used == most or ended]
    return sorted({spell(handed_over(rules, after)) for after in kept})


def steps(rules: Rules, board: Board, value: int) -> list[Board]:
    """The boards after each legal use of one throw."""
    if value == 0 or over(board):
        return []
    side = board["turn"]
    movers = [board["player"]]
    if rules["teams"] != "owned" or not has_any(board, side, board["player"]):
        movers = list(range(1, len(board["base"][side]) + 1))
    found = []
    for player in movers:
        out = sum(stack["side"] == side and stack["top"] == player for stack in board["road"])
        if board["base"][side][player - 1] and (rules["advancing"] == "all" or out < rules["advancing"]):
            entered = deepcopy(board)
            entered["base"][side][player - 1] -= 1
            fresh = {"side": side, "top": player, "own": [], "prey": [], "home": False, "at": None}
            entered["road"].append(fresh)
            found += carry(rules, entered, len(entered["road"]) - 1, value)
        for index, stack in enumerate(board["road"]):
            if stack["side"] == side and stack["top"] == player:
                found += carry(rules, board, index, value)
    return found


def carry(rules: Rules, board: Board, index: int, value: int) -> list[Board]:
    """The boards after moving one stack; ``at`` is a space, "field", or None for a piece being entered."""
    n = rules["spaces"]
    stack = board["road"][index]
    side, laden = stack["side"], bool(stack["prey"])
    distance = 0 if stack["at"] is None else n + 1 if stack["at"] == "field" else own_distance(n, side, stack["at"])
    going_home = stack["home"] if not laden else rules["captor"] != "onward"
    found: list[Board | None] = []
    if going_home:
        if distance - value >= 1:
            found.append(land(rules, board, index, distance - value, turned=False))
        elif distance == value or not rules["exact_home"]:
            found.append(come_home(rules, board, index))
    elif distance + value <= n:
        turned = rules["far_end"] == "bounce" and not laden and distance + value == n
        found.append(land(rules, board, index, distance + value, turned=turned))
    elif laden:
        if distance + value == n + 1 or not rules["exact_home"]:
            found.append(come_home(rules, board, index))
    elif rules["far_end"] == "return":
        found.append(go_back(rules, board, index))
    elif rules["far_end"] == "loop":
        found.append(land(rules, board, index, distance + value - n, turned=False))
    elif rules["far_end"] == "bounce":
        back = 2 * n - (distance + value)
        found.append(land(rules, board, index, back, turned=True) if back else come_home(rules, board, index))
    elif rules["far_end"] == "walk_back":
        rested = deepcopy(board)
        rested["road"][index] |= {"at": "field", "home": True}
        found.append(rested)
    if rules["retreat_captures"] and not laden and distance > 0:
        behind = distance + value if going_home else distance - value
        if 1 <= behind <= n and behind_is_enemy(rules, board, side, behind):
            found.append(land(rules, board, index, behind, turned=False))
    return [after for after in found if after is not None]


def behind_is_enemy(rules: Rules, board: Board, side: str, distance: int) -> bool:
    space = own_distance(rules["spaces"], side, distance)
    return space != rules["fire"] and any(s["at"] == space and s["side"] != side for s in board["road"])


def land(rules: Rules, board: Board, index: int, distance: int, *, turned: bool) -> Board | None:
    """The board after the stack comes to rest on a space of the highway; None if that is illegal."""
    board = deepcopy(board)
    stack = board["road"].pop(index)
    side, space = stack["side"], own_distance(rules["spaces"], stack["side"], distance)
    if space == rules["fire"]:
        for player in [stack["top"], *stack["own"]]:
            board["spent"][side][player - 1] += 1
        for player in stack["prey"]:
            board["slain"][OTHER[side]][player - 1] += 1
        return board
    there = [other for other in board["road"] if other["at"] == space]
    if any(other["side"] == side for other in there) and not rules["sharing"]:
        return None
    stack["at"] = space
    stack["home"] = stack["home"] or turned
    enemies = [other for other in there if other["side"] != side]
    if enemies:
        board["road"] = [other for other in board["road"] if other not in enemies]
        stack["home"] = False
        for enemy in enemies:
            stack["own"] += enemy["prey"]
            stack["prey"] += [enemy["top"], *enemy["own"]]
    board["road"].append(stack)
    if enemies and rules["captor"] == "leaves":
        last = len(board["road"]) - 1
        if not rules["captor_retires"]:
            return come_home(rules, board, last)
        board["road"].pop()
        for player in [stack["top"], *stack["own"]]:
            board["spent"][side][player - 1] += 1
        for player in stack["prey"]:
            board["slain"][OTHER[side]][player - 1] += 1
    return board


def come_home(rules: Rules, board: Board, index: int) -> Board:
    board = deepcopy(board)
    stack = board["road"].pop(index)
    side = stack["side"]
    board["base"][side][stack["top"] - 1] += 1
    for player in stack["own"]:
        board["base" if rules["rescued"] == "freed" else "slain"][side][player - 1] += 1
    for player in stack["prey"]:
        board["slain"][OTHER[side]][player - 1] += 1
    return board


def go_back(rules: Rules, board: Board, index: int) -> Board:
    board = deepcopy(board)
    stack = board["road"].pop(index)
    side = stack["side"]
    for player in [stack["top"], *stack["own"]]:
        board["base"][side][player - 1] += 1
    if rules["liberation"]:
        for enemy in board["road"]:
            if enemy["side"] != side and enemy["prey"]:
                for player in enemy["prey"]:
                    board["base"][side][player - 1] += 1
                enemy["prey"] = []
                enemy["home"] = bool(enemy["own"]) and rules["captor"] == "homeward"
    return board


def handed_over(rules: Rules, board: Board) -> Board:
    board = deepcopy(board)
    if rules["teams"] == "owned" and board["player"] < rules["players"]:
        board["player"] += 1
        return board
    then = 1
    if rules["teams"] == "shared":
        then = 1 if board["player"] == rules["players"] else board["player"] + 1
    board["turn"], board["player"], board["waiting"] = OTHER[board["turn"]], board["waiting"], then
    return board


def over(board: Board) -> bool:
    return not (has_any(board, "J", None) and has_any(board, "O", None))


def has_any(board: Board, side: str, player: int | None) -> bool:
    """Whether this player, or anyone on the side, has a piece to enter or a stack to move."""
    base = board["base"][side]
    pieces = sum(base) if player is None else base[player - 1]
    return bool(pieces) or any(s["side"] == side and player in (None, s["top"]) for s in board["road"])


def own_distance(n: int, side: str, space: int) -> int:
    """Converts a space to its distance for a side, and back."""
    return space if side == "J" else n + 1 - space


def read(text: str) -> Board:
    """Parse a valid position."""
    places, out, turn = text.split(" ")
    base_j, highway, base_o = places.split("/")
    board: Board = {"road": [], "base": {}, "slain": {}, "spent": {}, "turn": turn[0]}
    for side, base in (("J", base_j), ("O", base_o)):
        counts, _, field = base.partition("(")
        board["base"][side] = [int(count) for count in counts.split(",")]
        board["road"] += [stack_of(part, "field") for part in field.rstrip(")").split(",") if part]
    for side, counts in zip("JO", out.split(":"), strict=True):
        pairs = [(*count.split("+"), "0")[:2] for count in counts.split(",")]
        board["slain"][side] = [int(slain) for slain, _ in pairs]
        board["spent"][side] = [int(spent) for _, spent in pairs]
    numbers = [int(number) for number in turn[1:].split(":") if number]
    board["player"], board["waiting"] = (*numbers, 1, 1)[:2]
    space = 1
    for part in re.findall(r"\([^)]*\)|[JO](?::\d)?(?:[jo](?::\d)?)*'?|\d+", highway):
        if part.isdecimal():
            space += int(part)
            continue
        board["road"] += [stack_of(one, space) for one in part.strip("()").split(",")]
        space += 1
    board["n"] = space - 1
    return board


def stack_of(text: str, at: int | str) -> Stack:
    pieces = [(piece[0], int(piece[2:] or 1)) for piece in re.findall(r"[JOjo](?::\d)?", text)]
    side = pieces[0][0]
    return {
        "side": side,
        "top": pieces[0][1],
        "own": [player for letter, player in pieces[1:] if letter.upper() == side],
        "prey": [player for letter, player in pieces[1:] if letter.upper() != side],
        "home": text.endswith("'"),
        "at": at,
    }


def spell(board: Board) -> str:
    def numbered(letter: str, players: list[int]) -> str:
        return "".join(letter + (f":{player}" if player > 1 else "") for player in sorted(players))

    def stack_text(stack: Stack) -> str:
        own, prey = stack["side"].lower(), OTHER[stack["side"]].lower()
        prime = "'" if stack["home"] and not stack["prey"] else ""
        return (
            numbered(stack["side"], [stack["top"]])
            + numbered(own, stack["own"])
            + numbered(prey, stack["prey"])
            + prime
        )

    def at(place: int | str, side: str | None = None) -> list[str]:
        return sorted(stack_text(s) for s in board["road"] if s["at"] == place and side in (None, s["side"]))

    highway = "".join(
        "." if not (here := at(space)) else here[0] if len(here) == 1 else f"({','.join(here)})"
        for space in range(1, board["n"] + 1)
    )
    highway = re.sub(r"\.+", lambda dots: str(len(dots[0])), highway)
    bases, outs = [], []
    for side in "JO":
        resting = at("field", OTHER[side])
        bases.append(",".join(map(str, board["base"][side])) + (f"({','.join(resting)})" if resting else ""))
        pairs = zip(board["slain"][side], board["spent"][side], strict=True)
        outs.append(",".join(f"{slain}+{spent}" if spent else str(slain) for slain, spent in pairs))
    turn = board["turn"]
    if board["waiting"] > 1:
        turn += f":{board['player']}:{board['waiting']}"
    elif board["player"] > 1:
        turn += f":{board['player']}"
    return f"{bases[0]}/{highway}/{bases[1]} {':'.join(outs)} {turn}"
