// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import { newSubject } from "./auth-event.js";
import { customParameters } from "./request.js";
import { samplePerson } from "./sample-person.js";

const FIELDS = {
  email: "email-input", displayName: "display-name-input", screenName: "screen-name-input", photoUrl: "profile-photo-input",
};

const element = (id) => document.getElementById(id);
const input = (field) => element(FIELDS[field]);

/** Sets up the form that adds an account. */
export function showForm(request, choose) {
  const { login_hint: hint } = customParameters(request);
  if (typeof hint === "string") fill({ email: hint });
  element("add-account-button").addEventListener("click", () => turnTo("add-user", input("email")));
  element("back-button").addEventListener("click", () => turnTo("accounts-list", element("add-account-button").firstElementChild));
  element("autogen-button").addEventListener("click", () => fill(samplePerson()));
  input("email").addEventListener("input", () => complain(""));
  element("main-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isValid()) choose({ sub: newSubject(), ...filledIn() });
  });
}

function turnTo(view, focused) {
  const isForm = view === "add-user";
  element("add-user").hidden = !isForm;
  element("accounts-list").hidden = element("introduction").hidden = isForm;
  element("title").textContent = isForm ? "Add an account" : "Choose an account";
  focused.focus();
}

function fill(person) {
  for (const [field, value] of Object.entries(person)) input(field).value = value;
  complain("");
}

function filledIn() {
  const values = Object.keys(FIELDS).map((field) => [field, input(field).value.trim()]);
  return Object.fromEntries(values.filter(([, value]) => value));
}

/** Validates the e-mail address as loosely as the emulator does: it needs an "@". */
function isValid() {
  const email = input("email").value.trim();
  complain(email ? (email.includes("@") ? "" : 'Missing "@"') : "Email required");
  return email.includes("@");
}

function complain(text) {
  element("email-error").textContent = text;
  input("email").setAttribute("aria-invalid", text !== "");
  if (text) input("email").focus();
}
