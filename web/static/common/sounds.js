// The table by ear: short sounds, and calls such as "3. Jade to move.", by the browser's own means.

import { liked } from "./likes.js";
import { t } from "./words.js";

const LOUD = 0.25; // of full; a phone on the table is near enough
const GESTURES = ["pointerdown", "keydown"]; // browsers make no sound before the first of them

// Each sound is a few knocks: seconds from its start, and how high in hertz.
const SOUNDS = {
  thrown: [[0, 320], [0.07, 410], [0.16, 280], [0.22, 360]],
  made: [[0, 220]],
  ask: [[0, 520], [0.22, 520]],
  over: [[0, 392], [0.14, 494], [0.28, 587], [0.42, 784]],
};

let audio = null;

/** What there is to say of a table: short, and complete without looking. */
export function call({ phase, prompt, unsure, moves, left, players, turn }) {
  if (unsure) return unsure.sentence;
  if (phase !== "move" || !moves.length || players[turn].level) return prompt;
  return t("{count}. {name} to move.", { count: left.join(" + "), name: players[turn].name });
}

/** The name of the sound for what has happened. */
export function soundOf(before, now) {
  if (now.phase === "over") return "over";
  if (now.unsure || now.phase === "reading") return "ask";
  return now.phase === "move" && before.phase !== "move" ? "thrown" : "made";
}

/** Tell by ear, as far as this phone wants to hear it, that the table has gone on. */
export function announce(before, now) {
  if (liked("sound")) play(soundOf(before, now));
  if (liked("calls")) say(call(now));
}

/** Knock, as wood on wood. */
export function play(name) {
  audio ??= awake(new AudioContext());
  for (const [after, pitch] of SOUNDS[name]) knock(audio.currentTime + after, pitch);
}

/** Say that instead of whatever is still being said. Answers whether there is a voice for it. */
export function say(text) {
  const voice = voiceFor(document.documentElement.lang);
  if (!voice) return false;
  const words = new SpeechSynthesisUtterance(text.replaceAll("…", ""));
  words.voice = voice;
  words.lang = voice.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
  return true;
}

/** A voice of that language which lives on this phone: others would send the words to somebody else's computer. */
export function voiceFor(language) {
  const voices = window.speechSynthesis?.getVoices().filter(({ localService }) => localService) ?? [];
  return voices.find(({ lang }) => lang.slice(0, 2).toLowerCase() === language.slice(0, 2)) ?? null;
}

function knock(at, pitch) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.5, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  volume.gain.setValueAtTime(LOUD, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}

function awake(context) {
  for (const gesture of GESTURES) document.addEventListener(gesture, () => context.resume());
  return context;
}
