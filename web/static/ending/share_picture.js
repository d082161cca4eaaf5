// A picture of a finished game, drawn on this phone, to share or to save. Nothing of it leaves the phone otherwise.

const SIZE = 1080; // pixels, square as most services show pictures
const EDGE = 72;
const WIDE = SIZE - 2 * EDGE; // of a line of text, and of the graph
const TOP = 54; // where the texts begin
const BOTTOM = 990; // where they end, above the companion's name
const GRAPH = { least: 180, above: 40, below: 16 }; // its height, and the room around it
const COLOURS = { page: "#efeae0", ink: "#1d1b18", soft: "#5b5549", jade: "#2b9a74", obsidian: "#17161c", maize: "#f4b731" };
const SMALLER = 0.95; // step by which texts shrink that have too little room

/** @typedef {{weight: string, size: number, high: number, colour: string}} Style of letters; high: a line with the room above it */
/** @typedef {{text: string, font: string, high: number, colour: string}} Line */
/** @typedef {{title: string, game: string, chances: number[], lines: {label: string, text: string}[]}} Story chances: Jade's, after each turn */

/** @type {Record<"title" | "game" | "label" | "text" | "name", Style>} */
const STYLES = {
  title: { weight: "bold", size: 64, high: 76, colour: COLOURS.ink },
  game: { weight: "normal", size: 40, high: 56, colour: COLOURS.soft },
  label: { weight: "bold", size: 30, high: 54, colour: COLOURS.soft },
  text: { weight: "normal", size: 36, high: 44, colour: COLOURS.ink },
  name: { weight: "normal", size: 28, high: 54, colour: COLOURS.soft },
};

/** @param {Story} story */
export async function sharePicture(story) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  paint(pen, story);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) return;
  const file = new File([blob], "puluc.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] }).catch(() => undefined);
  else save(blob);
}

/** @param {Blob} blob */
function save(blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "puluc.png";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** @type {(pen: CanvasRenderingContext2D, story: Story) => void} */
export function paint(pen, story) {
  pen.fillStyle = COLOURS.page;
  pen.fillRect(0, 0, SIZE, SIZE);
  pen.fillStyle = COLOURS.maize;
  pen.fillRect(0, 0, SIZE, 24);
  let scale = 1;
  let page = layOut(pen, story, scale);
  while (!page.fits) page = layOut(pen, story, (scale *= SMALLER));
  const top = write(pen, page.head, TOP) + GRAPH.above;
  paintGraph(pen, story.chances, top, page.graph);
  write(pen, page.story, top + page.graph + GRAPH.below);
  write(pen, linesOf(pen, "Puluc Companion", STYLES.name, 1), BOTTOM);
}

/**
 * The texts above and below the graph, and the height that they leave for it. scale: of the letters.
 * @type {(pen: CanvasRenderingContext2D, story: Story, scale: number) => {head: Line[], story: Line[], graph: number, fits: boolean}}
 */
function layOut(pen, { title, game, lines }, scale) {
  const set = (/** @type {string} */ text, /** @type {Style} */ style) => linesOf(pen, text, style, scale);
  const head = [...set(title, STYLES.title), ...set(game, STYLES.game)];
  const story = lines.flatMap(({ label, text }) => [...set(label, STYLES.label), ...set(text, STYLES.text)]);
  const all = [...head, ...story];
  const graph = all.reduce((room, { high }) => room - high, BOTTOM - TOP - GRAPH.above - GRAPH.below);
  return { head, story, graph, fits: graph >= GRAPH.least && all.every((line) => widthOf(pen, line) <= WIDE) };
}

/**
 * The ground that each side held, turn by turn, as in the review.
 * @type {(pen: CanvasRenderingContext2D, chances: number[], top: number, high: number) => void}
 */
function paintGraph(pen, chances, top, high) {
  pen.fillStyle = COLOURS.obsidian;
  pen.fillRect(EDGE, top, WIDE, high);
  pen.fillStyle = COLOURS.jade;
  pen.beginPath();
  pen.moveTo(EDGE, top + high);
  for (const [at, chance] of chances.entries()) {
    pen.lineTo(EDGE + (WIDE * at) / Math.max(1, chances.length - 1), top + high * (1 - chance));
  }
  pen.lineTo(EDGE + WIDE, top + high);
  pen.fill();
}

/**
 * A text in as many lines as it needs.
 * @type {(pen: CanvasRenderingContext2D, text: string, style: Style, scale: number) => Line[]}
 */
function linesOf(pen, text, { weight, size, high, colour }, scale) {
  const drawn = { font: `${weight} ${size * scale}px system-ui, sans-serif`, high: high * scale, colour };
  /** @type {Line[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = { ...drawn, text: `${last?.text} ${word}` };
    if (last && widthOf(pen, longer) <= WIDE) last.text = longer.text;
    else lines.push({ ...drawn, text: word });
  }
  return lines;
}

/** @type {(pen: CanvasRenderingContext2D, line: Line) => number} */
function widthOf(pen, { text, font }) {
  pen.font = font;
  return pen.measureText(text).width;
}

/**
 * Write lines one below the other. Returns where the last one stands.
 * @type {(pen: CanvasRenderingContext2D, lines: Line[], y: number) => number}
 */
function write(pen, lines, y) {
  for (const { text, font, high, colour } of lines) {
    y += high;
    pen.font = font;
    pen.fillStyle = colour;
    pen.fillText(text, EDGE, y);
  }
  return y;
}
