// The dialog that starts a new game or a match: which, who plays, who begins, and every rule.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { fillOptions, readOptions } from "./options.js";
import { t, tn } from "./words.js";

const SIDES = ["jade", "obsidian"];
const MOST = { none: 1, shared: 7, owned: 8 };

let variants = null; // by id, once asked for

/**
 * Open the dialog for the table as it is.
 * `wish(path, body)` asks the table for something and answers why it was refused, or null.
 */
export async function openNewGame(table, wish) {
  const dialog = part("dialog");
  dialog.returnValue = "";
  refuse("");
  variants ??= await known();
  if (!variants) {
    part("problem").textContent = t("The table does not answer. Look what it shows before you tap again.");
    part("problem").hidden = false;
    return;
  }
  const form = new NewGame(dialog, table);
  dialog.onsubmit = async (event) => {
    if (event.submitter?.value === "cancel") return;
    event.preventDefault();
    const problem = await wish("/api/games", form.body());
    if (problem) return refuse(problem);
    const options = readOptions(part("liking"));
    dialog.close();
    if (Object.keys(options).some((name) => options[name] !== table.options[name])) await wish("/api/options", options);
  };
  if (!dialog.open) dialog.showModal();
  part("fields").scrollTop = 0;
}

async function known() {
  const { body } = await ask("/api/variants").catch(() => ({ body: {} }));
  return body.variants ? Object.fromEntries(body.variants.map((variant) => [variant.id, variant])) : null;
}

function refuse(problem) {
  part("refused").textContent = problem;
  part("refused").hidden = !problem;
}

/** A rule's value as it stands in its field. */
function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(",");
  return value === null || value === "all" ? "" : `${value}`;
}

class NewGame {
  constructor(dialog, table) {
    this.form = dialog.querySelector("form");
    this.rules = [...dialog.querySelectorAll("[data-rule]")];
    this.players = { jade: table.teams.jade, obsidian: table.teams.obsidian };
    this.size = table.teams.jade.length;
    const { elements } = this.form;
    elements.variant.value = table.variant;
    elements.begins.value = "";
    part("others").open = Boolean(part("others").querySelector(":checked"));
    part("ends").hidden = table.phase === "over" || (table.phase === "throw_off" && !table.undo);
    part("evening").replaceChildren(...(table.match?.variants ?? []).map((id) => this.row(id)));
    part("match-of").open = Boolean(table.match);
    part("rules").open = false;
    fillOptions(part("liking"), table.options);
    this.plain = this.effective();
    this.fill(table.match ? this.plain : table.rules.fields);
    for (const side of SIDES) teamOf(side).replaceChildren();
    this.listen();
    this.show();
  }

  listen() {
    const on = (name, action) => (part(name).onclick = action);
    on("fewer", () => this.resize(this.size - 1));
    on("further", () => this.resize(this.size + 1));
    on("add", () => {
      part("evening").append(this.row(this.chosen.id));
      this.show();
    });
    on("plain", () => {
      this.fill(this.plain);
      this.show();
    });
    on("swap", () => this.swap());
    for (const side of SIDES) teamOf(side).onclick = ({ target }) => this.sooner(target);
    part("evening").onclick = ({ target }) => this.arrange(target);
    this.form.onchange = ({ target }) => {
      refuse("");
      if (target.name === "variant") this.choose();
      this.show();
    };
    this.form.oninput = () => {
      this.showSeats();
      this.tell();
    };
  }

  get chosen() {
    return variants[this.form.elements.variant.value];
  }

  get games() {
    return [...part("evening").querySelectorAll("select")].map((select) => select.value);
  }

  /** The rules of the chosen variant for so many players, as its source has them. */
  effective() {
    const { rules, sizes } = this.chosen;
    const fitting = sizes.filter(({ players }) => players <= this.size).at(-1) ?? {};
    return { ...rules, spaces: fitting.spaces ?? rules.spaces, pieces: fitting.pieces ?? rules.pieces };
  }

  /** How many a side there may be, in the games as they are chosen now. */
  most() {
    const games = this.games;
    const kinds = games.length ? games.map((id) => variants[id].rules.teams) : [this.value("teams")];
    return Math.min(...kinds.map((kind) => MOST[kind]));
  }

  /** Another variant: its own rules, and for teams two players a side to begin with. */
  choose() {
    this.size = this.chosen.rules.teams === "none" ? 1 : Math.max(this.size, 2);
    this.plain = this.effective();
    this.fill(this.plain);
  }

  resize(size) {
    const changed = this.changes();
    this.size = size;
    this.plain = this.effective();
    this.fill({ ...this.plain, ...changed });
    this.show();
  }

  row(id) {
    const row = part("evening-row").content.firstElementChild.cloneNode(true);
    row.querySelector("select").value = id;
    return row;
  }

  arrange(target) {
    const row = target.closest("li");
    if ("drop" in target.dataset) row.remove();
    if ("earlier" in target.dataset) row.previousElementSibling?.before(row);
    this.show();
  }

  value(name) {
    const field = this.rules.find(({ dataset }) => dataset.rule === name);
    if (field.type === "checkbox") return field.checked ? "yes" : "no";
    return field.value.trim();
  }

  fill(rules) {
    for (const field of this.rules) {
      const value = written(rules[field.dataset.rule]);
      if (field.type === "checkbox") field.checked = value === "yes";
      else field.value = value;
    }
  }

  /** The rules that are set otherwise than the source has them. */
  changes() {
    const changed = this.rules.filter(({ dataset: { rule } }) => this.value(rule) !== written(this.plain[rule]));
    return Object.fromEntries(
      changed.map(({ dataset: { rule, empty } }) => [rule, this.value(rule) || empty || ""]),
    );
  }

  tell() {
    const changed = Object.keys(this.changes()).length;
    const { name } = this.form.querySelector("input[name=variant]:checked").dataset;
    part("changed").textContent = changed
      ? tn("{number} rule is set otherwise than in {game}.", "{number} rules are set otherwise than in {game}.", changed, { game: name })
      : t("As in {game}.", { game: name });
    part("plain").hidden = !changed;
  }

  show() {
    const match = this.games.length > 0;
    const most = this.most();
    this.size = Math.max(1, Math.min(this.size, most));
    part("single").hidden = match;
    part("rules").hidden = match;
    part("size").hidden = most === 1;
    part("players").textContent = `${this.size}`;
    part("fewer").disabled = this.size === 1;
    part("further").disabled = this.size === most;
    for (const side of SIDES) this.showTeam(side);
    this.showSeats();
    this.tell();
  }

  showTeam(side) {
    const place = teamOf(side);
    while (place.children.length > this.size) place.lastElementChild.remove();
    while (place.children.length < this.size) place.append(this.player(side, place.children.length));
    const colour = side === "jade" ? t("Jade") : t("Obsidian");
    [...place.children].forEach((row, at) => {
      const whose = this.size > 1 ? `${colour} ${at + 1}` : colour;
      const [kind, name] = [row.querySelector("select"), row.querySelector("input")];
      kind.setAttribute("aria-label", t("Who plays {side}", { side: whose }));
      name.setAttribute("aria-label", t("The name of the person who plays {side}", { side: whose }));
      name.placeholder = whose;
      name.hidden = kind.value !== "human";
      row.classList.toggle("teamed", this.size > 1);
      const sooner = row.querySelector("[data-sooner]");
      sooner.hidden = this.size === 1;
      sooner.disabled = at === 0;
      sooner.textContent = at ? `${at + 1} ↑` : "1";
      sooner.setAttribute("aria-label", t("Let {side} throw earlier", { side: whose }));
    });
  }

  /** Say in which order the players of teams throw, by the names as they are typed. */
  showSeats() {
    const [jade, obsidian] = SIDES.map((side) => [...teamOf(side).children].map(calledIn));
    const kinds = this.games.length ? this.games.map((id) => variants[id].rules.teams) : [this.value("teams")];
    const owned = kinds[0] === "owned";
    part("seats").hidden = this.size === 1 || new Set(kinds).size > 1;
    const order = owned ? [...jade, ...obsidian] : jade.flatMap((name, at) => [name, obsidian[at]]);
    part("seats").textContent = t("If Jade begins, you throw in this order: {names}.", { names: order.join(", ") });
  }

  /** Let one player throw before the one who stands above. */
  sooner({ dataset, parentElement: row }) {
    if (!("sooner" in dataset)) return;
    row.previousElementSibling?.before(row);
    this.show();
  }

  /** Whoever plays Jade plays Obsidian, and the other way round. */
  swap() {
    const [jade, obsidian] = SIDES.map((side) => [...teamOf(side).children]);
    teamOf("jade").replaceChildren(...obsidian);
    teamOf("obsidian").replaceChildren(...jade);
    this.show();
  }

  player(side, at) {
    const row = part("player-row").content.firstElementChild.cloneNode(true);
    const { name, level } = this.players[side][at] ?? { name: "", level: null };
    const colour = side === "jade" ? t("Jade") : t("Obsidian");
    const unnamed = level || new RegExp(`^${colour}( \\d)?$`).test(name);
    row.querySelector("select").value = level ?? "human";
    row.querySelector("input").value = unnamed ? "" : name;
    return row;
  }

  /** The wish as the table takes it. */
  body() {
    const team = (side) =>
      [...teamOf(side).children].map((row) => {
        const kind = row.querySelector("select").value;
        return (kind === "human" && row.querySelector("input").value.trim()) || kind;
      });
    const begins = this.form.elements.begins.value || null;
    const players = { jade: team("jade"), obsidian: team("obsidian"), begins };
    if (this.games.length) return { evening: this.games, ...players };
    return { variant: this.chosen.id, set: this.changes(), ...players };
  }
}

/** What the player of a row is called: by name, by level, or by side and place. */
function calledIn(row) {
  const [kind, name] = [row.querySelector("select"), row.querySelector("input")];
  return kind.value === "human" ? name.value.trim() || name.placeholder : kind.selectedOptions[0].textContent;
}

/** Where a side's players stand. */
const teamOf = (side) => document.querySelector(`[data-team="${side}"]`);
