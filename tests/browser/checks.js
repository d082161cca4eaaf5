// What must hold on every screen; tests/browser/checks.py runs it in the page. Each check answers what is wrong.

window.checks ??= (() => {
  const CONTROLS =
    "a[href], button:enabled, summary, input:not([type=hidden]):enabled, select:enabled, textarea:enabled, [tabindex='0']";
  const READ_OUT = ["aria-label", "aria-valuetext", "title", "alt", "placeholder"];

  const shown = (one) => {
    const modal = document.querySelector("dialog:modal");
    return one.checkVisibility({ visibilityProperty: true }) && (!modal || modal.contains(one));
  };
  const controls = () => [...document.querySelectorAll(CONTROLS)].filter(shown);
  const named = (one) => one.outerHTML.replace(/\s+/g, " ").slice(0, 140);
  // A label that holds its control is tapped and lights up in its place.
  const whole = (one) => (one.labels?.[0]?.contains(one) ? one.labels[0] : one);

  /** What makes the page scroll sideways. */
  const tooWide = () => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const out = (one) => shown(one) && one.getBoundingClientRect().right > width + 0.5;
    const guilty = [...document.body.querySelectorAll("*")].filter(out).slice(-4);
    return [`too wide: ${document.documentElement.scrollWidth}`, ...guilty.map(named)];
  };

  /** What a thumb would miss. */
  const tooSmall = (thumb) =>
    controls()
      .map((one) => [one, whole(one).getBoundingClientRect()])
      .filter(([, { width, height }]) => width < thumb - 0.5 || height < thumb - 0.5)
      .map(([one, { width, height }]) => `too small (${Math.round(width)}x${Math.round(height)}): ${named(one)}`);

  const rgb = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgb(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };

  /** Texts of too little contrast, whatever they are drawn over. */
  const faint = (least) =>
    [...document.body.querySelectorAll("*")]
      .filter(
        (one) =>
          one.checkVisibility() &&
          !one.matches(":disabled:not(.row), :disabled:not(.row) *, option, svg *") &&
          [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()),
      )
      .map((one) => {
        const [a, b] = [light(getComputedStyle(one).color), light(ground(one))];
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.textContent.trim()];
      })
      .filter(([ratio]) => ratio < least)
      .map(([ratio, text]) => `faint (${ratio.toFixed(2)}): ${text}`);

  /** Words that a line ends within, as where a column is too narrow for them. Those of names may be. */
  const broken = (longest) => {
    const lines = (node, found) => {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faults = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!shown(node.parentElement)) continue;
      for (const found of node.data.matchAll(/--[a-z-]+/g))
        if (lines(node, found) > 1) faults.push(`broken option: ${found[0]}`);
      if (node.parentElement.closest("[translate=no]")) continue;
      for (const found of node.data.matchAll(/\p{L}+/gu))
        if (found[0].length <= longest && lines(node, found) > 1) faults.push(`broken word: ${found[0]}`);
    }
    return faults;
  };

  const looks = (one) => {
    const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } = getComputedStyle(one);
    return [outlineStyle === "none" ? "" : outlineStyle + outlineWidth, boxShadow, backgroundColor, borderColor].join();
  };
  const met = new Set();
  const unseen = new Set();

  /** Note from now on what the keyboard comes to; answers how many controls there are. */
  const watchKeys = () => {
    document.activeElement?.blur();
    const before = new Map(controls().map((one) => [one, looks(one) + looks(whole(one))]));
    document.addEventListener("focusin", ({ target }) => {
      met.add(target);
      if (before.get(target) === looks(target) + looks(whole(target))) unseen.add(`focus not seen: ${named(target)}`);
    });
    return before.size;
  };

  /** What the keyboard has not come to since, or where it cannot be seen that it has. */
  const outOfReach = () => {
    // Of radio buttons that belong together Tab comes to one, and the arrows to the others.
    const together = (one) => (one.type === "radio" ? [...document.getElementsByName(one.name)] : [one]);
    const missed = controls().filter((one) => !together(one).some((other) => met.has(other)));
    return [...unseen, ...missed.map((one) => `out of reach: ${named(one)}`)];
  };

  /** A screen whose end offers no tap back to the table. */
  const noWayBack = () => {
    if (location.pathname === "/") return [];
    const [x, y] = [scrollX, scrollY];
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    const links = [...document.querySelectorAll("header a[href='/']")];
    const met = links.filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const inView = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return inView && one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
    scrollTo({ left: x, top: y, behavior: "instant" });
    return met.length ? [] : ["no way back in view"];
  };

  /** Every text that is seen or read out, and the title; not what is marked as nobody's to translate or as in a language of its own. */
  const said = () => {
    const skipped = (one) => one.closest("script, style, template, time, [translate=no], body [lang]");
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!skipped(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
    for (const one of document.body.querySelectorAll("*"))
      if (!skipped(one)) texts.push(...READ_OUT.map((name) => one.getAttribute(name) ?? ""));
    // To a page with scripts, what stands in a noscript is one text, tags and all.
    return [...new Set(texts.map((text) => text.replace(/<[^>]*>/g, " ").trim()).filter(Boolean))];
  };

  return { tooWide, tooSmall, faint, broken, watchKeys, outOfReach, noWayBack, said };
})();
