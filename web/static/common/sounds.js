// Sounds and spoken announcements, such as "3. Jade to move.", with the browser's own audio and voices.

import { t } from "./i18n.js";
import { isOn } from "./preferences.js";

const VOLUME = 0.25; // of full
const LOTS = [330, 392, 494, 587]; // hertz, for the first marked lot to the fourth

/**
 * Each sound is a few knocks: seconds from its start, and pitch in hertz.
 * @type {Record<"thrown" | "moved" | "ask" | "over", [number, number][]>}
 */
const SOUNDS = {
  thrown: [[0, 320], [0.07, 410], [0.16, 280], [0.22, 360]],
  moved: [[0, 220]],
  ask: [[0, 520], [0.22, 520]],
  over: [[0, 392], [0.14, 494], [0.28, 587], [0.42, 784]],
};

/** @typedef {keyof typeof SOUNDS} Sound */

/**
 * How a phone vibrates with each sound: milliseconds on, off, on …
 * @type {Record<Sound, number[]>}
 */
const FELT = { thrown: [30], moved: [20], ask: [40, 120, 40], over: [60, 60, 60, 60, 200] };

/** @type {AudioContext | null} */
let audio = null;

/**
 * What to say about a table: short, and complete without looking.
 * @param {Api.Snapshot} table
 */
export function announcement({ phase, prompt, unsure, moves, left, players, turn, board_seen: seen }) {
  if (unsure) return unsure.sentence;
  if (seen?.status === "illegal") return seen.sentence;
  if (phase !== "move" || !moves.length || players[turn].level) return prompt;
  return t("{count}. {name} to move.", { count: left.join(" + "), name: players[turn].name });
}

/**
 * The sound for a change of the table.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 * @returns {Sound}
 */
export function soundFor(before, now) {
  if (now.phase === "over") return "over";
  if (now.unsure || now.board_seen?.status === "illegal") return "ask";
  if (now.phase === "reading") return "thrown";
  return now.phase === "move" && before.phase !== "move" ? "thrown" : "moved";
}

/**
 * Announce a change of the table, as far as this phone is set to.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function announce(before, now) {
  if (isOn("sound")) play(soundFor(before, now));
  if (isOn("calls")) say(announcement(now));
}

/**
 * Play a sound, like wood on wood.
 * @param {Sound} sound
 */
export function play(sound) {
  audio ??= new AudioContext();
  navigator.vibrate?.(FELT[sound]);
  for (const [after, pitch] of SOUNDS[sound]) knock(audio, audio.currentTime + after, pitch);
}

/**
 * Play and vibrate for a marked lot: the more there are, the higher.
 * @param {number} number
 */
export function knockAt(number) {
  audio ??= new AudioContext();
  navigator.vibrate?.(12);
  knock(audio, audio.currentTime, LOTS[number - 1] ?? 660);
}

/**
 * Say a text, interrupting the previous one. Returns whether there is a voice for it.
 * @param {string} text
 */
export function say(text) {
  const voice = voiceFor(document.documentElement.lang);
  if (!voice) return false;
  const utterance = new SpeechSynthesisUtterance(text.replaceAll("…", ""));
  utterance.voice = voice;
  utterance.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
  return true;
}

/**
 * A voice of that language that is on this phone. Others would send the text to a foreign server.
 * @param {string} language
 */
export function voiceFor(language) {
  const voices = window.speechSynthesis?.getVoices().filter(({ localService }) => localService) ?? [];
  return voices.find(({ lang }) => lang.slice(0, 2).toLowerCase() === language.slice(0, 2)) ?? null;
}

/** @type {(context: AudioContext, at: number, pitch: number) => void} */
function knock(context, at, pitch) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.5, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  volume.gain.setValueAtTime(VOLUME, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}
