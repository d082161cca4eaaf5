// Reads a position's one line, as docs/notation.md has it, into the board that a table shows.

const WHOLE = /^([\d,]+)(?:\(([^)]*)\))?\/([^/ ]*)\/([\d,]+)(?:\(([^)]*)\))? ([\d,+]+):([\d,+]+) /;
const STEP = /(\d+)|\(([^)]*)\)|([JO](?::\d)?(?:[jo](?::\d)?)*'?)/g;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The board of that position, in the shape of the table's own, for the same rules and teams. */
export function boardOf(position, { rules, teams }) {
  const [, jade, byJade, highway, obsidian, byObsidian, jadeOut, obsidianOut] = WHOLE.exec(position);
  const read = (text) => unitOf(text, rules, teams);
  const units = (list) => (list ? list.split(",").map(read) : []);
  const bases = { jade: jade.split(",").map(Number), obsidian: obsidian.split(",").map(Number) };
  const out = (text, which) => sum(text.split(",").map((one) => Number(one.split("+")[which] ?? 0)));
  return {
    spaces: [...highway.matchAll(STEP)].flatMap(([, empty, several, one]) =>
      empty ? Array.from({ length: Number(empty) }, () => []) : [several ? units(several) : [read(one)]],
    ),
    // What stands beside a base rests there, and is the other side's.
    fields: { jade: units(byObsidian), obsidian: units(byJade) },
    base: { jade: sum(bases.jade), obsidian: sum(bases.obsidian) },
    bases,
    slain: { jade: out(jadeOut, 0), obsidian: out(obsidianOut, 0) },
    spent: { jade: out(jadeOut, 1), obsidian: out(obsidianOut, 1) },
  };
}

function unitOf(text, { teams: kind, fields }, teams) {
  const owner = text[0] === "J" ? "jade" : "obsidian";
  const own = (text.match(owner === "jade" ? /j/gi : /o/gi) ?? []).length;
  const captives = (text.match(owner === "jade" ? /o/g : /j/g) ?? []).length;
  const [, number = 1] = /^[JO]:(\d)/.exec(text) ?? [];
  return {
    owner,
    own,
    captives,
    player: kind === "owned" && teams.jade.length > 1 ? teams[owner][number - 1].name : null,
    home: captives ? fields.captor !== "onward" : text.endsWith("'"),
  };
}
