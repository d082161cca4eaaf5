// Small tools for drawing: elements are made, never parsed, so no name can smuggle in markup.

/** An element with attributes and children; a string becomes text. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** The one element that carries data-NAME. */
export const part = (name) => document.querySelector(`[data-${name}]`);

const drawn = new WeakMap();

/** Draw a part anew only if its facts changed, so that a finger on its way to a button still finds it there. */
export function redraw(place, facts, draw) {
  const key = JSON.stringify(facts);
  if (drawn.get(place) === key) return;
  drawn.set(place, key);
  const held = place.contains(document.activeElement) ? { ...document.activeElement.dataset } : null;
  place.replaceChildren(...draw());
  if (!held) return;
  const names = ["space", "move", "count", "action"];
  const same = ({ dataset }) => names.some((name) => name in held && dataset[name] === held[name]);
  [...place.querySelectorAll("button")].find(same)?.focus();
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}
