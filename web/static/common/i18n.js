// The sentences of the page's scripts, in the page's language.

/** @typedef {Record<string, string | number | null | undefined>} Facts */

const source = document.documentElement.dataset.words; // absent for English, the language of the scripts
/** @type {{words: Record<string, string | string[]>, plural: (number: number) => number}} */
const { words, plural } = source ? await import(source) : { words: {}, plural: (/** @type {number} */ n) => Number(n !== 1) };

/**
 * A sentence in the page's language, with each {name} replaced by the fact of that name.
 * @param {string} text
 * @param {Facts} facts
 */
export const t = (text, facts = {}) => filled([words[text] ?? text].flat()[0] ?? text, facts);

/**
 * The form that goes with a number. {number} stands for it.
 * @param {string} one
 * @param {string} many
 * @param {number} number
 * @param {Facts} facts
 */
export const tn = (one, many, number, facts = {}) =>
  filled((words[one] ?? [one, many])[plural(number)] ?? many, { number, ...facts });

/** @type {(text: string, facts: Facts) => string} */
const filled = (text, facts) => text.replace(/\{(\w+)\}/g, (gap, name) => `${facts[name] ?? gap}`);
