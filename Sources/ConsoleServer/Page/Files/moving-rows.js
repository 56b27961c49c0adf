// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Rows whose figures move: those under the pointer, or with the focus, stay as they are until they are left.

import { isInUse } from "./dom.js";

/// Makes what decides when elements are drawn: `{ draw(state, names, action), forget() }`.
///
/// `action()` is called where `state` is another than what was drawn last; while one of the elements is in use, only where `names` is,
/// which tells the rows apart.
export function movingRows(...elements) {
  let drawn;
  let drawnNames;
  return {
    draw(state, names, action) {
      const [text, namesText] = [JSON.stringify(state), JSON.stringify(names)];
      if (text === drawn || (namesText === drawnNames && elements.some(isInUse))) return;
      [drawn, drawnNames] = [text, namesText];
      action();
    },
    forget() { drawn = drawnNames = undefined; },
  };
}
