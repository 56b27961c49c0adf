// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Cases of the Web SDK's Authentication: users of one project, who share no address and no number.
import { deleteApp, initializeApp } from "/sdk/firebase-app.js";
import * as sdk from "/sdk/firebase-auth.js";
import { Case, run, test } from "/web/suite.js";

export { sdk, test };

export const PASSWORD = "correct horse";

const parameters = new URLSearchParams(location.search);
const server = `http://${parameters.get("auth")}`;
export const project = parameters.get("project");
let count = 0;

/** Calls the emulator as an administrator. */
export async function call(method, path, body) {
  const headers = { Authorization: "Bearer owner", "Content-Type": "application/json" };
  const response = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} is refused: ${JSON.stringify(answer)}`);
  return answer;
}

const ofProject = (path) => `/identitytoolkit.googleapis.com/v1/projects/${project}${path}`;
const ofSettings = (path) => `/identitytoolkit.googleapis.com/v2/projects/${project}${path}`;
const ofEmulator = (path) => `/emulator/v1/projects/${project}${path}`;

/** A token without a signature. */
export function unsignedToken(claims) {
  const part = (value) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

/** The claims of a user's token, or of a new one. */
export async function claims(user, isNew = false) {
  return (await user.getIdTokenResult(isNew)).claims;
}

/** The providers of a user. */
export function providers(user) {
  return user.providerData.map((provider) => provider.providerId).sort();
}

/** A window with an SDK of its own. */
class Page {
  constructor(window) {
    this.window = window;
  }

  async opened(former) {
    while (!this.window.page || this.window.page === former) await new Promise((resume) => setTimeout(resume, 10));
    return this;
  }

  get auth() {
    return this.window.page.auth;
  }

  get sdk() {
    return this.window.page.sdk;
  }

  get uid() {
    return this.auth.currentUser?.uid ?? null;
  }

  async reload() {
    const former = this.window.page;
    this.window.location.reload();
    await this.opened(former);
  }

  /** Waits until the page has this user; null is none. */
  async follows(uid) {
    while (this.uid !== uid) await new Promise((resume) => setTimeout(resume, 10));
  }
}

/** A case with clients and users, and with the emulator as its administrator has it. */
class AuthCase extends Case {
  constructor() {
    super(null);
    this.apps = [];
    this.pages = [];
    this.restored = [];
    this.auth = this.client();
  }

  /** Another client, with no user. */
  client(persistence = sdk.inMemoryPersistence) {
    const options = { apiKey: "fake-api-key", projectId: project, appId: "1:1:web:1", storageBucket: `${project}.appspot.com` };
    const app = initializeApp(options, `auth-${++count}`);
    this.apps.push(app);
    const auth = sdk.initializeAuth(app, { persistence });
    sdk.connectAuthEmulator(auth, server, { disableWarnings: true });
    return auth;
  }

  /** Opens a page; pages of one name share a user where their persistence is shared. */
  async page(persistence, name = `page-${++count}`) {
    const query = new URLSearchParams({ auth: parameters.get("auth"), persistence, name });
    const page = new Page(window.open(`/web/auth/page.html?${query}`));
    this.pages.push(page);
    return page.opened();
  }

  /** A new address. */
  address() {
    return `user-${++count}@example.com`;
  }

  /** A new number. */
  number() {
    return `+1650555${String(++count).padStart(4, "0")}`;
  }

  /** A new user with a password. */
  async signedUp(email = this.address(), auth = this.auth) {
    return (await sdk.createUserWithEmailAndPassword(auth, email, PASSWORD)).user;
  }

  /** A new user whose address is verified. */
  async verified(email, auth) {
    const user = await this.signedUp(email, auth);
    await this.change(user.uid, { emailVerified: true });
    await user.reload();
    return user;
  }

  /** Another client where a user has signed in. */
  async elsewhere(email, password = PASSWORD) {
    return (await sdk.signInWithEmailAndPassword(this.client(), email, password)).user;
  }

  // Calls of administrators

  change(uid, changes) {
    return call("POST", ofProject("/accounts:update"), { localId: uid, ...changes });
  }

  remove(uid) {
    return call("POST", ofProject("/accounts:delete"), { localId: uid });
  }

  async users(query) {
    return (await call("POST", ofProject("/accounts:lookup"), query)).users ?? [];
  }

  /** Changes settings of the project until the end of the case. */
  async settings(settings) {
    this.restored.push(() => call("PATCH", ofSettings("/config"), {}));
    await call("PATCH", ofSettings("/config"), settings);
  }

  /** Switches e-mail enumeration protection on. */
  hideAddresses() {
    return this.settings({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } });
  }

  /** Creates a tenant that allows every way to sign in, unless the settings say otherwise; returns a client of it. */
  async tenant(settings = {}) {
    const all = { allowPasswordSignup: true, enableEmailLinkSignin: true, enableAnonymousUser: true };
    const { tenantId } = await call("POST", ofSettings("/tenants"), { ...all, ...settings });
    const auth = this.client();
    auth.tenantId = tenantId;
    return auth;
  }

  /** Moves the emulator's time on until the end of the case: times in tokens are whole seconds. */
  async later(seconds = 5) {
    this.passed = (this.passed ?? 0) + seconds;
    this.restored.push(() => call("DELETE", "/emulator/v1/clock"));
    await call("PATCH", "/emulator/v1/clock", { time: new Date(Date.now() + this.passed * 1_000).toISOString() });
  }

  // Messages

  /** The latest link to an address. */
  async link(email, tenant) {
    const { oobCodes } = await call("GET", ofEmulator(tenant ? `/tenants/${tenant}/oobCodes` : "/oobCodes"));
    return oobCodes.findLast((code) => code.email === email)?.oobLink;
  }

  /** The code in the latest link to an address. */
  async actionCode(email, tenant) {
    return sdk.parseActionCodeURL(await this.link(email, tenant)).code;
  }

  /** The latest code to a number. */
  async code(number, tenant) {
    const { verificationCodes } = await call("GET", ofEmulator(tenant ? `/tenants/${tenant}/verificationCodes` : "/verificationCodes"));
    return verificationCodes.findLast((code) => code.phoneNumber === number)?.code;
  }

  /** A verifier that answers at once; the SDK's own takes half a second. */
  verifier() {
    return { type: "recaptcha", verify: async () => "a person", _reset: () => {} };
  }

  async end() {
    await super.end();
    for (const page of this.pages) page.window.close();
    for (const restore of this.restored) await restore();
    for (const app of this.apps) await deleteApp(app);
  }
}

/** Runs all cases that were declared. */
export function runAll() {
  performance.setResourceTimingBufferSize(100_000);
  return run(() => new AuthCase());
}
