// The camera's picture on a screen, swapped in once it is complete, so that nothing flickers.

import { el, findPart, part } from "../common/dom.js";

/**
 * Show a picture in place of the last one once it has come, and say so; or that it has not come.
 * @type {(alt: string, address: string, loaded: () => void, failed: () => void, isWanted?: () => boolean) => void}
 */
export function loadPicture(alt, address, loaded, failed, isWanted = () => true) {
  const picture = el("img", { alt, "data-live": true, draggable: "false" });
  picture.onload = () => {
    if (!isWanted()) return;
    findPart("live")?.remove();
    part("tray").prepend(picture);
    loaded();
  };
  picture.onerror = failed;
  picture.src = address;
}
