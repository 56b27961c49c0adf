// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The frame's end of the message protocol (docs/auth-pages.md). The embedding page has our gapi.js or Google's.
const PREFIX = "!_";

/** The embedding page, which put its origin and a shared secret into the frame's URL. */
export class ParentPage {
  #id;
  #origin;
  #token;
  #outgoing;
  #incoming;
  #handlers = new Map();
  #replies = new Map();
  #callCount = 0;

  constructor(parameters) {
    this.#id = parameters.get("_gfid") ?? parameters.get("id");
    this.#origin = parameters.get("parent");
    this.#token = parameters.get("rpctoken");
    const page = parameters.get("pfname") ?? "";
    this.#outgoing = `${page}/${this.#id}:${page}:`;
    this.#incoming = `${page}:${page}/${this.#id}:`;
    this.answer("_g_ping", (data) => data);
    this.answer("_g_restyle", () => true);
  }

  /** Registers the handler of a message from the page. */
  answer(name, handler) {
    this.#handlers.set(this.#incoming + name, handler);
  }

  /** Starts to listen, and announces it to the page. */
  open() {
    if (parent === window || !this.#id || !this.#origin) return;
    addEventListener("message", this.#receive);
    // To any origin and without the secret, as Google's gapi does: the message contains only the frame's id.
    parent.postMessage(`${PREFIX}${JSON.stringify({ h: this.#id })}`, "*");
  }

  /** Sends a message; resolves to the results of the page's handlers. */
  send(name, data) {
    const call = ++this.#callCount;
    const answered = new Promise((resolve) => this.#replies.set(call, resolve));
    this.#post({ s: this.#outgoing + name, c: call, a: [data] });
    return answered;
  }

  #post(message) {
    if (parent === window || !this.#origin) return;
    const text = JSON.stringify({ f: this.#id, r: this.#id, t: this.#token, g: false, ...message });
    parent.postMessage(PREFIX + text, this.#origin);
  }

  #receive = ({ source, origin, data }) => {
    if (source !== parent || origin !== this.#origin) return;
    const message = parse(data);
    if (message?.t === this.#token && Array.isArray(message.a)) this.#handle(message);
  };

  #handle({ s, c, a }) {
    const handler = this.#handlers.get(s);
    if (s === "__cb") this.#resolve(...a);
    else if (handler && c) this.#post({ s: "__cb", c: null, a: [c, [handler(a[0])]] });
  }

  #resolve(call, answers) {
    this.#replies.get(call)?.(answers);
    this.#replies.delete(call);
  }
}

function parse(data) {
  if (typeof data !== "string" || !data.startsWith(PREFIX)) return null;
  try {
    return JSON.parse(data.slice(PREFIX.length));
  } catch {
    return null;
  }
}
