// Where things are on the board: the ends of a move, the way a road winds, and who is whose.

export const OTHER = { jade: "obsidian", obsidian: "jade" };
const STRAIGHT = 11; // spaces that fit one above the other; a longer road, or one for teams, winds
const BACK = { up: "down", down: "up", left: "right", right: "left" };

/** A move's one spelling: where from, where to, with which throw, and what moves. */
export const keyOf = (move) => [move.from, move.to, move.value, move.unit].join("-");

/** Where a move begins and ends, as the board's places are called. */
export function endsOf(move, table) {
  const { turn } = table;
  const start = move.from === "base" ? turn : move.from === "field" ? OTHER[turn] : `${move.from}`;
  if (move.to === "field") return [start, OTHER[turn]];
  return [start, move.to === "home" ? (comesHome(move, table) ? turn : OTHER[turn]) : `${move.to}`];
}

/** Whether a move that leaves the highway leaves it at the mover's own base. */
function comesHome({ from, unit }, { board, rules, turn }) {
  const captives = (unit.match(turn === "jade" ? /o/g : /j/g) ?? []).length;
  const there = from === "field" ? board.fields[turn] : (board.spaces[from - 1] ?? []);
  const homeward = unit.endsWith("'") || there.some((one) => one.captives && one.captives === captives && one.home);
  return homeward || (!captives && rules.fields.far_end === "bounce");
}

/** Spaces in a row of a winding road; 0 for a straight one. As in web/lying.py. */
export function across({ rules: { spaces }, teams }) {
  if (spaces <= STRAIGHT && teams.jade.length === 1) return 0;
  return spaces <= 20 ? 5 : spaces <= 36 ? 6 : 7;
}

/** Which way on the screen a unit on that space goes to its own base. As in web/lying.py. */
export function homeward(space, owner, spaces, wide, turned) {
  const way = upright(space, owner === "jade" ? -1 : 1, spaces, wide);
  return turned ? BACK[way] : way;
}

function upright(space, step, spaces, wide) {
  const next = space + step;
  const row = (number) => Math.floor((number - 1) / wide);
  if (!wide || next < 1 || next > spaces || row(next) !== row(space)) return step > 0 ? "up" : "down";
  return step > 0 === (row(space) % 2 === 0) ? "right" : "left";
}

/** How players of a side are told apart in little room: by initials, or by their numbers in the team. */
export function labels(team) {
  const initials = team.map(({ name }) => [...name][0].toUpperCase());
  const clear = new Set(initials).size === team.length && initials.every((letter) => /\p{L}/u.test(letter));
  return clear ? initials : team.map((_, at) => `${at + 1}`);
}

/** The numbers in their teams of who throws, and of who of the other side throws next. */
export function throwers({ position, turn }) {
  const [, now = 1, next = 1] = position.split(" ").at(-1).split(":");
  return { [turn]: Number(now), [OTHER[turn]]: Number(next) };
}
