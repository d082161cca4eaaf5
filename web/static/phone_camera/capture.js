// Pictures from the phone's camera as JPEG, in the same position however the screen turns.

const WIDTH = { small: 640, large: 1280 }; // columns
const QUALITY = { small: 0.75, large: 0.92 };
const WANTED = { width: { ideal: 1920 }, height: { ideal: 1440 }, frameRate: { ideal: 30 } };
const FRAME = 300; // ms after which a frame is no longer waited for
const LONGEST_PHOTO = 2048; // pixels of a photograph's longer side

/** @typedef {"small" | "large"} Size */

const canvas = document.createElement("canvas");

/** Whether this browser lets this page use the camera: it does so over secure connections only. */
export const canCapture = () => isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/**
 * Show the camera at the back of the phone in a video. Throws a DOMException.
 * @param {HTMLVideoElement} video
 * @returns {Promise<MediaStreamTrack>}
 */
export async function openCamera(video) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, ...WANTED } });
  video.srcObject = stream;
  await video.play();
  const [track] = stream.getVideoTracks();
  if (!track) throw new DOMException("no track", "NotFoundError");
  return track;
}

/**
 * Hold exposure, white balance and focus as they are, or let them adjust, where the browser can.
 * @param {MediaStreamTrack} track
 * @param {"manual" | "continuous"} mode
 */
export async function holdSettings(track, mode) {
  /** @type {Record<string, any>} */
  const able = track.getCapabilities?.() ?? {};
  /** @type {Record<string, any>} */
  const now = track.getSettings();
  /** @type {Record<string, unknown>} */
  const held = {};
  for (const [name, values] of Object.entries({
    exposureMode: ["exposureTime", "iso"],
    whiteBalanceMode: ["colorTemperature"],
    focusMode: ["focusDistance"],
  })) {
    if (!able[name]?.includes(mode)) continue;
    held[name] = mode;
    if (mode === "manual") for (const value of values) if (able[value] && now[value] !== undefined) held[value] = now[value];
  }
  if (Object.keys(held).length) await track.applyConstraints({ advanced: [held] }).catch(() => undefined);
}

/**
 * A picture whose exposure began after this call: the frame under way does not count.
 * @param {HTMLVideoElement} video
 * @param {Size} size
 */
export async function takePicture(video, size) {
  await nextFrame(video);
  if (size === "large") await nextFrame(video);
  return drawn(video, video.videoWidth, video.videoHeight, { width: WIDTH[size], quality: QUALITY[size], angle: screen.orientation?.angle ?? 0 });
}

/**
 * A photograph from the phone's own camera app, upright and without what else its file tells, such as the place.
 * @param {File} file
 */
export async function scaledPhoto(file) {
  const picture = await createImageBitmap(file);
  return drawn(picture, picture.width, picture.height, { width: LONGEST_PHOTO, quality: 0.9, angle: 0 });
}

/** @param {HTMLVideoElement} video */
function nextFrame(video) {
  /** @type {Promise<unknown>} */
  const late = new Promise((done) => setTimeout(done, FRAME));
  if (!video.requestVideoFrameCallback) return new Promise((done) => setTimeout(done, 50));
  return Promise.race([late, new Promise((done) => video.requestVideoFrameCallback(done))]);
}

/**
 * The picture as JPEG, lying across. The browser turns the video with the screen; turning it back by the same angle
 * keeps the tray in its place when a phone that lies flat takes itself for turned.
 * @param {CanvasImageSource} source
 * @param {number} across
 * @param {number} down
 * @param {{width: number, quality: number, angle: number}} how
 * @returns {Promise<Blob>}
 */
async function drawn(source, across, down, { width, quality, angle }) {
  const turned = angle % 180 ? down > across : across > down;
  const whole = (angle + (turned ? 0 : 90)) % 360;
  const scale = Math.min(1, width / Math.max(across, down));
  [canvas.width, canvas.height] = [Math.round(Math.max(across, down) * scale), Math.round(Math.min(across, down) * scale)];
  // Read back each time, so it should not lie on the graphics chip.
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!pen) throw new Error("no canvas");
  pen.translate(canvas.width / 2, canvas.height / 2);
  pen.rotate((whole * Math.PI) / 180);
  pen.scale(scale, scale);
  pen.drawImage(source, -across / 2, -down / 2);
  const jpeg = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done, "image/jpeg", quality));
  if (!jpeg) throw new Error("no picture");
  return jpeg;
}
