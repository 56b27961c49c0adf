// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Runs cases of the Firebase Web SDK in a page, one after the other, and posts what came of them to /done.
import { deleteApp, initializeApp } from "/sdk/firebase-app.js";
import * as fire from "/sdk/firebase-firestore.js";

export { fire };

const parameters = new URLSearchParams(location.search);
const [host, port] = parameters.get("firestore").split(":");
const project = parameters.get("project");
const transport = JSON.parse(parameters.get("transport") ?? "{}");
const cases = [];
let count = 0;

/** Declares a case. */
export function test(name, run) {
  cases.push({ name, run });
}

/** Opens a client with its own connections; its cache is its own, too, unless that is on disk and the name is another's. */
export function open(settings = {}, name = `app-${++count}`, projectId = project, caller = {}) {
  const app = initializeApp({ projectId, apiKey: "none", appId: "1:1:web:1" }, name);
  const db = fire.initializeFirestore(app, { ...transport, ...settings });
  fire.connectFirestoreEmulator(db, host, Number(port), caller);
  return db;
}

/** A project of its own, with Security Rules. */
class RuledProject {
  constructor(test) {
    this.test = test;
    this.id = `demo-ruled-${++count}`;
  }

  /** Puts matches of documents in force; returns the answer's status. */
  async put(matches) {
    const content = `rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { ${matches} } }`;
    const body = JSON.stringify({ rules: { files: [{ name: "firestore.rules", content }] } });
    return (await fetch(`http://${host}:${port}/emulator/v1/projects/${this.id}:securityRules`, { method: "PUT", body })).status;
  }

  /** A client of a user, of a stranger (null), or of the owner, whom no rules concern. */
  as(user, claims = {}) {
    const caller = user === null ? {} : { mockUserToken: user === "owner" ? "owner" : { sub: user, ...claims } };
    const db = open({}, undefined, this.id, caller);
    this.test.opened.push(db);
    return db;
  }
}

/** What a listener is told, one snapshot after the other. */
export class Events {
  constructor(target, options = {}) {
    this.queue = [];
    this.waiting = null;
    this.stop = fire.onSnapshot(target, options, (snapshot) => this.push({ snapshot }), (error) => this.push({ error }));
  }

  push(event) {
    this.queue.push(event);
    this.waiting?.();
  }

  async take() {
    if (this.queue.length === 0) await new Promise((resolve) => (this.waiting = resolve));
    return this.queue.shift();
  }

  /** The next snapshot. */
  async next() {
    const { snapshot, error } = await this.take();
    if (error) throw error;
    return snapshot;
  }

  /** The first of the next snapshots that is as expected. */
  async until(isExpected) {
    for (;;) {
      const snapshot = await this.next();
      if (isExpected(snapshot)) return snapshot;
    }
  }

  /** The error that ends the listener. */
  async failure() {
    for (;;) {
      const { error } = await this.take();
      if (error) return error;
    }
  }

  get isQuiet() {
    return this.queue.length === 0;
  }
}

/** What a case has: clients, collections of its own, and assertions. */
export class Case {
  constructor(db) {
    this.db = db;
    this.opened = [];
    this.listeners = [];
    this.tabs = [];
  }

  /** Another client. */
  other(settings) {
    const db = open(settings);
    this.opened.push(db);
    return db;
  }

  /** A project of its own, with Security Rules. */
  async ruled(matches) {
    const project = new RuledProject(this);
    this.equal(await project.put(matches), 200, "the answer to the rules");
    return project;
  }

  /** Another tab: an SDK of its own over a cache that tabs of one name share. */
  async tab(cache) {
    const frame = document.createElement("iframe");
    frame.src = `/web/tab.html${location.search}&cache=${cache}`;
    document.body.append(frame);
    this.tabs.push(frame);
    while (!frame.contentWindow.tab) await new Promise((resume) => setTimeout(resume, 10));
    const { fire, db, Events } = frame.contentWindow.tab;
    const collection = () => fire.collection(db, this.collection().id);
    // An SDK takes only objects of its own window.
    const data = (value) => frame.contentWindow.JSON.parse(JSON.stringify(value));
    return { fire, db, collection, data, listen: (options) => new Events(collection(), options), close: () => frame.remove() };
  }

  /** An empty collection, also as another client sees it. */
  collection(db = this.db) {
    this.name ??= `c${++count}-${Math.random().toString(36).slice(2)}`;
    return fire.collection(db, this.name);
  }

  /** A collection with documents: {a: {n: 1}}. */
  async filled(documents) {
    const collection = this.collection();
    const batch = fire.writeBatch(this.db);
    for (const [id, data] of Object.entries(documents)) batch.set(fire.doc(collection, id), data);
    await batch.commit();
    return collection;
  }

  listen(target, options) {
    const events = new Events(target, options);
    this.listeners.push(events);
    return events;
  }

  equal(found, expected, what = "") {
    const [a, b] = [text(found), text(expected)];
    if (a !== b) throw new Error(`${what} is ${a}, not ${b}`);
  }

  isTrue(found, what) {
    if (!found) throw new Error(`not so: ${what}`);
  }

  /** A promise is refused with a code. */
  async refused(code, promise) {
    try {
      await promise;
    } catch (error) {
      this.equal(error.code, code, `the code of "${error.message}"`);
      return error;
    }
    throw new Error(`nothing was refused, where ${code} was expected`);
  }

  async end() {
    for (const listener of this.listeners) listener.stop();
    for (const frame of this.tabs) frame.remove();
    for (const db of this.opened) {
      await fire.terminate(db);
      await deleteApp(db.app);
    }
  }
}

/** A value as text, all its numbers told apart. */
export function text(value) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "number") return String(value);
  if (value === undefined) return "undefined";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (value instanceof fire.Timestamp) return `time(${value.seconds}.${value.nanoseconds})`;
  if (value instanceof fire.GeoPoint) return `point(${text(value.latitude)},${text(value.longitude)})`;
  if (value instanceof fire.Bytes) return `bytes(${value.toBase64()})`;
  if (value instanceof fire.VectorValue) return `vector${text(value.toArray())}`;
  if (value instanceof fire.DocumentReference) return `document(${value.path})`;
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${text(value[key])}`);
  return `{${members.join(",")}}`;
}

/** The ids of a query's documents. */
export function ids(snapshot) {
  return snapshot.docs.map((document) => document.id).join(" ");
}

/** Makes cases that share a client. */
function casesOfFirestore() {
  const db = open();
  return () => new Case(db);
}

/** Runs all cases that were declared, or `only` those that the page's address names, each with what `makeCase` gives it. */
export async function run(makeCase = casesOfFirestore()) {
  const results = [];
  const only = new URLSearchParams(location.search).getAll("only");
  for (const { name, run } of cases.filter((each) => only.length === 0 || only.includes(each.name))) {
    const began = performance.now();
    const test = makeCase();
    let error = null;
    try {
      let timer;
      const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no end after 20 s")), 20_000)));
      await Promise.race([run(test), late]);
      clearTimeout(timer);
    } catch (problem) {
      error = `${problem.stack ?? problem}`;
    }
    await test.end();
    results.push({ name, error, milliseconds: Math.round(performance.now() - began) });
  }
  await fetch("/done", { method: "POST", body: JSON.stringify(results) });
}
