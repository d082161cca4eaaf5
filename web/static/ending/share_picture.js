// A picture of a finished game, drawn on this phone, to share or to save. Nothing of it leaves the phone otherwise.

const SIZE = 1080; // pixels, square as most services show pictures
const EDGE = 72;
const GRAPH = { top: 330, height: 300 };
const COLOURS = { page: "#efeae0", ink: "#1d1b18", soft: "#5b5549", jade: "#2b9a74", obsidian: "#17161c", maize: "#f4b731" };

/**
 * @param {{title: string, game: string, chances: number[], lines: {label: string, text: string}[]}} story chances: Jade's, after each turn
 */
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

/** @type {(pen: CanvasRenderingContext2D, story: Parameters<typeof sharePicture>[0]) => void} */
function paint(pen, { title, game, chances, lines }) {
  pen.fillStyle = COLOURS.page;
  pen.fillRect(0, 0, SIZE, SIZE);
  pen.fillStyle = COLOURS.maize;
  pen.fillRect(0, 0, SIZE, 24);
  let y = write(pen, title, 130, "bold 64px system-ui, sans-serif", COLOURS.ink, 76);
  write(pen, game, Math.min(y + 6, GRAPH.top - 40), "40px system-ui, sans-serif", COLOURS.soft, 48);
  paintGraph(pen, chances);
  y = GRAPH.top + GRAPH.height + 70;
  for (const { label, text } of lines) {
    y = write(pen, label, y, "bold 30px system-ui, sans-serif", COLOURS.soft, 40);
    y = write(pen, text, y, "36px system-ui, sans-serif", COLOURS.ink, 44) + 14;
  }
  write(pen, "Puluc Companion", SIZE - 36, "28px system-ui, sans-serif", COLOURS.soft, 0);
}

/**
 * The ground that each side held, turn by turn, as in the review.
 * @type {(pen: CanvasRenderingContext2D, chances: number[]) => void}
 */
function paintGraph(pen, chances) {
  const wide = SIZE - 2 * EDGE;
  pen.fillStyle = COLOURS.obsidian;
  pen.fillRect(EDGE, GRAPH.top, wide, GRAPH.height);
  pen.fillStyle = COLOURS.jade;
  pen.beginPath();
  pen.moveTo(EDGE, GRAPH.top + GRAPH.height);
  for (const [at, chance] of chances.entries()) {
    pen.lineTo(EDGE + (wide * at) / Math.max(1, chances.length - 1), GRAPH.top + GRAPH.height * (1 - chance));
  }
  pen.lineTo(EDGE + wide, GRAPH.top + GRAPH.height);
  pen.fill();
}

/**
 * Write a text in as many lines as it needs. Returns where the next line begins.
 * @type {(pen: CanvasRenderingContext2D, text: string, y: number, font: string, colour: string, high: number) => number}
 */
function write(pen, text, y, font, colour, high) {
  pen.font = font;
  pen.fillStyle = colour;
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && pen.measureText(longer).width > SIZE - 2 * EDGE) {
      pen.fillText(line, EDGE, y);
      y += high;
      line = word;
    } else line = longer;
  }
  pen.fillText(line, EDGE, y);
  return y + high;
}
