// Small tools for drawing. Elements are created, never parsed, so that no name can inject markup.

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */
/** @typedef {Node | string | false | null | undefined} Child */

/**
 * An HTML element with attributes and children. A string becomes text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const LINE = 28; // letters for which a phone has room in a line of its headline

/**
 * A text whose lines end between its sentences, if each fits a line; as in web/routes/game/page.py.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
export function inSentences(text) {
  const sentences = text.replace(/([.?!…]) /g, "$1\n").split("\n");
  if (sentences.some(({ length }) => length > LINE)) return [text];
  return sentences.flatMap((sentence, at) => [at ? " " : "", el("span", { class: "sentence" }, sentence)]);
}

/**
 * The one element that carries data-NAME, or null.
 * @param {string} name
 * @returns {HTMLElement | null}
 */
export const findPart = (name) => document.querySelector(`[data-${name}]`);

/**
 * The one element that carries data-NAME. Throws if there is none.
 * @param {string} name
 */
export function part(name) {
  const found = findPart(name);
  if (!found) throw new Error(`no element has data-${name}`);
  return found;
}

/**
 * The one element of that type that carries data-NAME. Throws if there is none.
 * @template {Element} T
 * @param {string} name
 * @param {new () => T} type
 * @returns {T}
 */
export function partOf(name, type) {
  return child(document, `[data-${name}]`, type);
}

/**
 * Write a text into the one element that carries data-NAME. Screen readers do not announce again what has not changed.
 * @type {(name: string, text: string) => void}
 */
export function write(name, text) {
  if (part(name).textContent !== text) part(name).textContent = text;
}

/**
 * The first element of that type inside `place` that matches. Throws if there is none.
 * @template {Element} T
 * @param {ParentNode} place
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function child(place, selector, type) {
  const found = place.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`no ${type.name} matches ${selector}`);
  return found;
}

/**
 * The element that an event happened on, or its nearest ancestor, that matches; or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();
const FOCUS_KEYS = ["space", "move", "count", "action"];

/**
 * Draw a part again only if its facts changed, so that a button does not vanish under a finger.
 * @param {HTMLElement} place
 * @param {unknown} facts
 * @param {() => (Node | string)[]} draw
 */
export function redraw(place, facts, draw) {
  const key = JSON.stringify(facts);
  if (drawn.get(place) === key) return;
  drawn.set(place, key);
  const focused = document.activeElement;
  const held = focused instanceof HTMLElement && place.contains(focused) ? { ...focused.dataset } : null;
  place.replaceChildren(...draw());
  if (!held) return;
  const buttons = [...place.querySelectorAll("button")];
  buttons.find(({ dataset }) => FOCUS_KEYS.some((name) => name in held && dataset[name] === held[name]))?.focus();
}

/**
 * Draw one element again, in place of the old one, only if its facts changed.
 * @param {HTMLElement} old
 * @param {unknown} facts
 * @param {() => HTMLElement} draw
 */
export function renew(old, facts, draw) {
  const key = JSON.stringify(facts);
  if (drawn.get(old) === key) return;
  const held = old === document.activeElement;
  const fresh = draw();
  drawn.set(fresh, key);
  old.replaceWith(fresh);
  if (held) fresh.focus();
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, `${value}`);
  }
  for (const one of children) if (one !== null && one !== undefined && one !== false) element.append(one);
  return element;
}
