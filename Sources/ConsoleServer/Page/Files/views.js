// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The views by the name that addresses have for them; each is loaded when it is first shown. `key` follows `g`.

export const views = {
  live: { title: "Live", key: "l", load: () => import("./live.js") },
  causes: { title: "Who causes it", key: "c", load: () => import("./causes.js") },
  "what-if": { title: "What if", key: "w", load: () => import("./what-if.js") },
  documents: { title: "Documents", key: "d", load: () => import("./documents.js") },
  files: { title: "Files", key: "f", load: () => import("./files.js") },
  users: { title: "Users", key: "u", load: () => import("./users.js") },
  inbox: { title: "Inbox", key: "i", load: () => import("./inbox.js") },
  rules: { title: "Rules", key: "r", load: () => import("./rules.js") },
  indexes: { title: "Indexes", key: "x", load: () => import("./indexes.js") },
  functions: { title: "Functions", key: "n", load: () => import("./functions.js") },
  control: { title: "Control", key: "o", load: () => import("./control.js") },
};

export const groups = [
  { title: "Usage", views: ["live", "causes", "what-if"] },
  { title: "Data", views: ["documents", "files", "users", "inbox"] },
  { title: "Project", views: ["rules", "indexes", "functions", "control"] },
];
