// The sentences of the page's scripts, in the language that the page is in.

const source = document.documentElement.dataset.words; // none for English, which is what the scripts are written in
const { words, plural } = source ? await import(source) : { words: {}, plural: (n) => Number(n !== 1) };

/** That sentence in the page's language, each {name} in it filled with the fact of that name. */
export const t = (text, facts = {}) => filled([words[text] ?? text].flat()[0], facts);

/** The form that goes with that number, which is a fact by the name of {number}. */
export const tn = (one, many, number, facts = {}) =>
  filled((words[one] ?? [one, many])[plural(number)], { number, ...facts });

const filled = (text, facts) => text.replace(/\{(\w+)\}/g, (gap, name) => facts[name] ?? gap);
