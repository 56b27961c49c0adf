// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The dialogs about users: a new one, a new password, deletion.

import { ask, field } from "./ask.js";
import { make } from "./dom.js";
import { count, counted } from "./format.js";

const input = (name, properties = {}) => make("input", { name, autocomplete: "off", spellcheck: "false", ...properties });

/// Asks for the fields of a new user; `done` is called with the id.
export function askForNewUser(accounts, done) {
  ask({
    title: "Create a user",
    action: "Create",
    content: [
      field("E-mail", input("email", { type: "email", autofocus: true })),
      field("Password", input("password"), "6 characters at least; with it the user can sign in by e-mail"),
      field("Phone", input("phoneNumber", { type: "tel", placeholder: "+15550100" })),
      field("Display name", input("displayName")),
      field("User id", input("localId", { class: "mono" }), "left empty, one is made"),
      make("label", {}, make("input", { type: "checkbox", name: "emailVerified", value: "yes" }), "E-mail is verified"),
    ],
    async submit({ emailVerified, ...fields }) {
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
      await done(await accounts.create({ ...given, ...(emailVerified ? { emailVerified: true } : {}) }));
    },
  });
}

/// Asks for a new password of a user.
export function askForPassword(accounts, uid, done) {
  ask({
    title: "Set a password",
    action: "Set",
    content: [field("New password", input("password", { required: true, autofocus: true }), "The user is signed out everywhere.")],
    async submit({ password }) {
      await accounts.update(uid, { password });
      await done();
    },
  });
}

/// Asks whether users are to be deleted; more than one is confirmed by their number.
export function askForDeletion(accounts, users, done) {
  const number = users.length;
  const one = users[0];
  const question = number === 1
    ? make("p", {}, make("bdi", {}, one.name || one.email || one.phone || one.uid), " is deleted at once. Their documents and files stay.")
    : make("p", {}, `All ${count(number)} users that the list shows are deleted at once. Their documents and files stay.`);
  ask({
    title: `Delete ${counted(number, "user")}?`,
    action: "Delete",
    isDangerous: true,
    content: [question, number > 1
      && field(`To confirm, enter ${number}`, input("number", { required: true, inputmode: "numeric", autofocus: true }))],
    async submit(values) {
      if (number > 1 && values.number.replaceAll(/\D/g, "") !== String(number)) throw new Error(`Enter ${number} to delete that many.`);
      await accounts.remove(users.map((user) => user.uid));
      await done();
    },
  });
}
