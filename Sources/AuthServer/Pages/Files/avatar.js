// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { make } from "./views.js";

/** The account's photo, or its initial if there is no photo or it fails to load, as it does offline. */
export function avatar({ displayName, email, photoUrl }) {
  const avatar = make("span", "avatar", initial(displayName || email));
  avatar.setAttribute("aria-hidden", "true");
  if (/^(https?|data):/i.test(photoUrl ?? "")) avatar.append(photo(photoUrl));
  return avatar;
}

function initial(name) {
  const [first = "?"] = name ?? "";
  return first.toUpperCase();
}

function photo(address) {
  const photo = new Image();
  Object.assign(photo, { alt: "", loading: "lazy", referrerPolicy: "no-referrer" });
  photo.addEventListener("error", () => photo.remove());
  photo.src = address;
  return photo;
}
