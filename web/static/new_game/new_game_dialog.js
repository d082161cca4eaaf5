// The dialog that starts a new game or a match: the variant, the players, who begins, and every rule.

import { child, findPart, part, partOf } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { fillOptions, readOptions } from "../common/option_fields.js";
import { request } from "../common/request.js";
import { colourOf, fieldsOf, nameIn, playerIn, rowsOf, teamOf } from "./player_rows.js";

/** @typedef {import("./player_rows.js").Side} Side */
/** @typedef {Record<string, unknown>} Rules */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */
/** Why a request was refused, and which rules of a custom game do not fit. @typedef {{problem: string, rules?: string[]}} Refusal */

/** @type {Side[]} */
const SIDES = ["jade", "obsidian"];
/** @type {Record<string, number>} */
const MOST_PLAYERS = { none: 1, shared: 7, owned: 8 };

const TIMEOUT = 5000; // ms

/** @type {Map<string, Api.VariantView> | null} */
let variants = null; // by id, once loaded

/**
 * Open the dialog for a table. `submit(path, body)` sends a request and returns why it was refused, or null.
 * Throws if the table cannot be reached.
 * @param {Api.Snapshot} table
 * @param {(path: string, body: object) => Promise<Refusal | null>} submit
 */
export async function openNewGame(table, submit) {
  const [loaded, welcome, rated] = await Promise.all([
    variants ?? loadVariants(),
    request("/api/welcome").catch(() => null),
    request("/api/strengths").catch(() => null),
    loadDialog(),
  ]);
  variants = loaded;
  const dialog = partOf("dialog", HTMLDialogElement);
  dialog.returnValue = "";
  refuse(null);
  const form = new NewGameForm(dialog, table, variants, rated?.body.strengths ?? []);
  dialog.onsubmit = async (event) => {
    if (event.submitter instanceof HTMLButtonElement && event.submitter.value === "cancel") return;
    event.preventDefault();
    const refusal = await submit("/api/games", form.body());
    if (refusal) return refuse(refusal);
    const options = readOptions(part("options"));
    dialog.close();
    if (!isSubset(options, table.options)) await submit("/api/options", options);
  };
  // Shown before anyone fills in a form that would be refused.
  const barred = table.under_way && welcome?.body.host === false && welcome.body.host_here;
  part("host-note").hidden = !barred;
  child(dialog, "button[value=start]", HTMLButtonElement).disabled = Boolean(barred);
  if (!dialog.open) dialog.showModal();
  part("fields").scrollTop = 0;
}

/** Add the dialog to the page, once: the first view of the table does without it. */
async function loadDialog() {
  if (findPart("dialog")) return;
  const answer = await fetch("/api/new-game", { signal: AbortSignal.timeout(TIMEOUT) });
  if (!answer.ok) throw new Error(`the dialog: ${answer.status}`);
  const loaded = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!findPart("dialog")) document.body.append(...loaded.head.children, ...loaded.body.children);
}

/** @returns {Promise<Map<string, Api.VariantView>>} */
async function loadVariants() {
  const { body } = await request("/api/variants");
  return new Map(body.variants.map((/** @type {Api.VariantView} */ variant) => [variant.id, variant]));
}

/** @type {(some: Rules, all: Rules) => boolean} */
const isSubset = (some, all) => Object.keys(some).every((name) => some[name] === all[name]);

/**
 * Show why the game cannot be started, mark the rules that do not fit, and bring the first into view.
 * @param {Refusal | null} refusal
 */
function refuse(refusal) {
  part("refused").textContent = refusal?.problem ?? "";
  part("refused").hidden = !refusal;
  const wrong = refusal?.rules ?? [];
  const fields = [...part("rules").querySelectorAll("[data-rule]")].filter((one) => one instanceof HTMLElement);
  for (const field of fields) {
    if (wrong.includes(field.dataset.rule ?? "")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  const first = fields.find((field) => field.dataset.rule === wrong[0]);
  if (!first) return;
  partOf("rules", HTMLDetailsElement).open = true;
  first.scrollIntoView({ block: "center" });
  first.focus({ preventScroll: true });
}

/**
 * A rule's value as its field shows it.
 * @param {unknown} value
 */
function fieldText(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(",");
  return value === null || value === undefined || value === "all" ? "" : `${value}`;
}

class NewGameForm {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {Api.Snapshot} table
   * @param {Map<string, Api.VariantView>} variants
   * @param {Api.PlayerStrength[]} strengths
   */
  constructor(dialog, table, variants, strengths) {
    this.variants = variants;
    this.strengths = strengths;
    this.form = child(dialog, "form", HTMLFormElement);
    this.begins = child(dialog, "select[name=begins]", HTMLSelectElement);
    /** @type {Field[]} */
    this.rules = [...dialog.querySelectorAll("[data-rule]")].filter(isField);
    /** @type {Record<Side, Api.PlayerView[]>} */
    this.players = table.teams;
    this.size = table.teams.jade.length;
    child(dialog, `input[name=variant][value="${table.variant}"]`, HTMLInputElement).checked = true;
    this.begins.value = "";
    const others = partOf("others", HTMLDetailsElement);
    others.open = Boolean(others.querySelector(":checked"));
    part("ends").hidden = table.phase === "over" || (table.phase === "throw_off" && !table.undo);
    part("match-games").replaceChildren(...(table.match?.variants ?? []).map(matchRow));
    partOf("match-of", HTMLDetailsElement).open = Boolean(table.match);
    partOf("rules", HTMLDetailsElement).open = false;
    fillOptions(part("options"), table.options);
    this.source = this.sourceRules();
    this.fill(table.match ? this.source : table.rules.fields);
    for (const side of SIDES) teamOf(side).replaceChildren();
    this.listen();
    this.show();
  }

  listen() {
    const on = (/** @type {string} */ name, /** @type {() => void} */ action) => (part(name).onclick = action);
    on("fewer", () => this.resize(this.size - 1));
    on("more", () => this.resize(this.size + 1));
    on("add", () => {
      part("match-games").append(matchRow(this.variant.id));
      this.show();
    });
    on("restore-rules", () => {
      this.fill(this.source);
      this.show();
    });
    on("swap", () => this.swap());
    for (const side of SIDES) teamOf(side).onclick = ({ target }) => target instanceof HTMLElement && this.moveUp(target);
    part("match-games").onclick = ({ target }) => target instanceof HTMLElement && this.arrange(target);
    this.form.onchange = ({ target }) => {
      refuse(null);
      if (target instanceof HTMLInputElement && target.name === "variant") this.choose();
      this.show();
    };
    this.form.oninput = () => {
      this.showThrowingOrder();
      this.showStrengths();
      this.showChanges();
    };
  }

  get choice() {
    return child(this.form, "input[name=variant]:checked", HTMLInputElement);
  }

  get variant() {
    return this.known(this.choice.value);
  }

  /** The games of the match, in their order. */
  get games() {
    return [...part("match-games").querySelectorAll("select")].map(({ value }) => value);
  }

  /** @param {string} id */
  known(id) {
    const variant = this.variants.get(id);
    if (!variant) throw new Error(`the table does not know ${id}`);
    return variant;
  }

  /**
   * The rules of the chosen variant for that many players, by its source.
   * @returns {Rules}
   */
  sourceRules() {
    const { rules, sizes } = this.variant;
    const size = sizes.filter(({ players }) => players <= this.size).at(-1);
    return { ...rules, spaces: size?.spaces ?? rules.spaces, pieces: size?.pieces ?? rules.pieces };
  }

  /** The kinds of teams in the chosen games. */
  teamKinds() {
    const games = this.games;
    return games.length ? games.map((id) => `${this.known(id).rules.teams}`) : [this.value("teams")];
  }

  /** Switch to another variant: its rules, and two players a side at first if it is for teams. */
  choose() {
    this.size = this.variant.rules.teams === "none" ? 1 : Math.max(this.size, 2);
    this.source = this.sourceRules();
    this.fill(this.source);
  }

  /** @param {number} size */
  resize(size) {
    const changed = this.changes();
    this.size = size;
    this.source = this.sourceRules();
    this.fill({ ...this.source, ...changed });
    this.show();
  }

  /** @param {HTMLElement} target */
  arrange(target) {
    const row = target.closest("li");
    if ("drop" in target.dataset) row?.remove();
    if ("earlier" in target.dataset && row) row.previousElementSibling?.before(row);
    this.show();
  }

  /** @param {string} name */
  value(name) {
    const field = this.rules.find(({ dataset }) => dataset.rule === name);
    return field ? fieldValue(field) : "";
  }

  /** @param {Rules} rules */
  fill(rules) {
    for (const field of this.rules) {
      const value = fieldText(rules[field.dataset.rule ?? ""]);
      if (isTick(field)) field.checked = value === "yes";
      else field.value = value;
    }
  }

  /**
   * The rules that differ from the source.
   * @returns {Record<string, string>}
   */
  changes() {
    return Object.fromEntries(
      this.rules.flatMap((field) => {
        const { rule = "", empty = "" } = field.dataset;
        const value = fieldValue(field);
        return value === fieldText(this.source[rule]) ? [] : [[rule, value || empty]];
      }),
    );
  }

  showChanges() {
    const changed = Object.keys(this.changes()).length;
    const game = this.choice.dataset.name;
    part("changed").textContent = changed
      ? tn("{number} rule differs from {game}.", "{number} rules differ from {game}.", changed, { game })
      : t("As in {game}.", { game });
    part("restore-rules").hidden = !changed;
  }

  show() {
    const match = this.games.length > 0;
    const most = Math.min(...this.teamKinds().map((kind) => MOST_PLAYERS[kind] ?? 1));
    this.size = Math.max(1, Math.min(this.size, most));
    part("single").hidden = match;
    part("rules").hidden = match;
    part("size").hidden = most === 1;
    part("players").textContent = `${this.size}`;
    partOf("fewer", HTMLButtonElement).disabled = this.size === 1;
    partOf("more", HTMLButtonElement).disabled = this.size === most;
    for (const side of SIDES) this.showTeam(side);
    this.showThrowingOrder();
    this.showStrengths();
    this.showChanges();
  }

  /** @param {Side} side */
  showTeam(side) {
    const place = teamOf(side);
    while (place.children.length > this.size) place.lastElementChild?.remove();
    while (place.children.length < this.size) place.append(this.playerRow(side, place.children.length));
    rowsOf(side).forEach((row, at) => {
      const whose = this.size > 1 ? `${colourOf(side)} ${at + 1}` : colourOf(side);
      const { kind, name } = fieldsOf(row);
      kind.setAttribute("aria-label", t("Who plays {side}", { side: whose }));
      name.setAttribute("aria-label", t("The name of the person who plays {side}", { side: whose }));
      name.placeholder = whose;
      name.hidden = kind.value !== "human";
      row.classList.toggle("teamed", this.size > 1);
      const earlier = child(row, "[data-throw-earlier]", HTMLButtonElement);
      earlier.hidden = this.size === 1;
      earlier.disabled = at === 0;
      earlier.textContent = at ? `${at + 1} ↑` : "1";
      earlier.setAttribute("aria-label", t("Let {side} throw earlier", { side: whose }));
    });
  }

  /** Show the order in which team players throw, by the names as typed. */
  showThrowingOrder() {
    const [jade = [], obsidian = []] = SIDES.map((side) => rowsOf(side).map(nameIn));
    const kinds = this.teamKinds();
    part("throwing-order").hidden = this.size === 1 || new Set(kinds).size > 1;
    const order = kinds[0] === "owned" ? [...jade, ...obsidian] : jade.flatMap((name, at) => [name, obsidian[at]]);
    part("throwing-order").textContent = t("If Jade begins, you throw in this order: {names}.", { names: order.join(", ") });
  }

  /** Mark the level that plays about as well as the person on the other side, and say how that was found. */
  showStrengths() {
    const [jade = [], obsidian = []] = SIDES.map(rowsOf);
    const words = [[jade, obsidian], [obsidian, jade]].flatMap(([own = [], others = []]) => {
      const people = own.filter((row) => fieldsOf(row).kind.value === "human").map(nameIn);
      const known = this.strengths.find(({ name }) => people.includes(name));
      const kinds = others.map((row) => fieldsOf(row).kind);
      for (const option of kinds.flatMap((kind) => [...kind.options])) {
        option.label = option.value === known?.level ? t("{level} (about your strength)", { level: option.text }) : "";
      }
      return known && kinds.some(({ value }) => value !== "human") ? [known.words] : [];
    });
    part("strength").textContent = words.join(" ");
    part("strength").hidden = !words.length;
  }

  /**
   * Let a player throw before the one above.
   * @param {HTMLElement} target
   */
  moveUp({ dataset, parentElement: row }) {
    if (!("throwEarlier" in dataset) || !row) return;
    row.previousElementSibling?.before(row);
    this.show();
  }

  /** Swap the players of the two sides. */
  swap() {
    const [jade, obsidian] = [rowsOf("jade"), rowsOf("obsidian")];
    teamOf("jade").replaceChildren(...obsidian);
    teamOf("obsidian").replaceChildren(...jade);
    this.show();
  }

  /** @type {(side: Side, at: number) => HTMLElement} */
  playerRow(side, at) {
    const row = template("player-row");
    const { name, level } = this.players[side][at] ?? { name: "", level: null };
    const unnamed = level || new RegExp(`^${colourOf(side)}( \\d)?$`).test(name);
    const fields = fieldsOf(row);
    fields.kind.value = level ?? "human";
    fields.name.value = unnamed ? "" : name;
    return row;
  }

  /** The body of the request. */
  body() {
    const players = { jade: rowsOf("jade").map(playerIn), obsidian: rowsOf("obsidian").map(playerIn), begins: this.begins.value || null };
    if (this.games.length) return { evening: this.games, ...players };
    return { variant: this.variant.id, set: this.changes(), ...players };
  }
}

/** @type {(element: Element) => element is Field} */
const isField = (element) => element instanceof HTMLInputElement || element instanceof HTMLSelectElement;

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isTick = (field) => field instanceof HTMLInputElement && field.type === "checkbox";

/** @param {Field} field */
const fieldValue = (field) => (isTick(field) ? (field.checked ? "yes" : "no") : field.value.trim());

/**
 * The row of a template, cloned.
 * @param {string} name
 */
const template = (name) => child(/** @type {DocumentFragment} */ (partOf(name, HTMLTemplateElement).content.cloneNode(true)), "*", HTMLElement);

/** @param {string} id */
function matchRow(id) {
  const row = template("match-row");
  child(row, "select", HTMLSelectElement).value = id;
  return row;
}
