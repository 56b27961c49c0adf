// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/** Sets the text of an element and unhides it. */
export function show(id, text) {
  const element = document.getElementById(id);
  element.textContent = text;
  element.hidden = false;
}

/** Replaces the page with an error message. */
export function showFailure(error) {
  document.getElementById("content").hidden = true;
  document.getElementById("failure").hidden = false;
  show("failure-reason", error.message);
  console.error(error);
}

/** Creates an element with a class and a text. */
export function make(name, className, text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}
