// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Replaces https://apis.google.com/js/api.js on pages with the Firebase Web SDK, so that pop-ups and redirects work offline: opens the
// emulator's helper frame and exchanges messages with it (docs/auth-pages.md). Load it before the SDK's getAuth.
(() => {
  "use strict";

  const PREFIX = "!_";
  const EARLY_COUNT_MAX = 16;

  const randomText = () => [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("");

  /** Runs a callback and ignores its errors: the SDK's callback for `webStorageSupport` always throws. */
  function attempt(callback, ...values) {
    try {
      callback?.(...values);
    } catch {}
  }

  /** A frame with the calls between it and this page. */
  class Iframe {
    #element = document.createElement("iframe");
    #id = `firemeter_${randomText()}`;
    #token = randomText();
    #origin;
    #handlers = new Map();
    #replies = new Map();
    #callCount = 0;
    #isReady = false;
    #unsent = [];
    #early = [];

    constructor({ url, where, attributes = {} }) {
      const full = new URL(url, location.href);
      const parameters = { id: this.#id, _gfid: this.#id, parent: location.origin, pfname: "", rpctoken: this.#token };
      full.searchParams.set("usegapi", "1");
      full.hash = new URLSearchParams(parameters);
      this.#origin = full.origin;
      const { style, ...others } = attributes;
      for (const [name, value] of Object.entries(others)) this.#element.setAttribute(name, value);
      Object.assign(this.#element.style, style);
      Object.assign(this.#element, { id: this.#id, name: this.#id, src: full.href });
      addEventListener("message", this.#receive);
      (where ?? document.body ?? document.documentElement).append(this.#element);
    }

    getIframeEl = () => this.#element;
    getOrigin = () => this.#origin;

    /** Registers a handler. Messages that arrived before it are handled now. */
    register(name, handler) {
      this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
      for (const message of this.#early.splice(0)) this.#handle(message);
    }

    unregister(name, handler) {
      const others = (this.#handlers.get(name) ?? []).filter((other) => handler && other !== handler);
      if (others.length) this.#handlers.set(name, others);
      else this.#handlers.delete(name);
    }

    /** Sends a message; resolves to the results of the frame's handlers. */
    send(name, data, callback) {
      const call = ++this.#callCount;
      const answered = new Promise((resolve) => this.#replies.set(call, resolve));
      this.#post({ s: `:/${this.#id}:${name}`, c: call, a: [data] });
      answered.then((answers) => attempt(callback, answers));
      return answered;
    }

    ping(callback, data) {
      return this.send("_g_ping", data, callback);
    }

    /** Does nothing: the frame stays hidden. */
    async restyle(parameters, callback) {
      attempt(callback, []);
      return [];
    }

    async close(parameters, callback) {
      removeEventListener("message", this.#receive);
      this.#element.remove();
      attempt(callback, []);
      return [];
    }

    #post(message) {
      if (this.#isReady) this.#postNow(message);
      else this.#unsent.push(message);
    }

    #postNow(message) {
      const text = PREFIX + JSON.stringify({ f: "..", r: "..", t: this.#token, g: false, ...message });
      this.#element.contentWindow?.postMessage(text, this.#origin);
    }

    #receive = ({ source, origin, data }) => {
      if (source === null || source !== this.#element.contentWindow || origin !== this.#origin) return;
      const message = parse(data);
      if (message?.h === this.#id) this.#start();
      else if (message?.t === this.#token && Array.isArray(message.a)) this.#handle(message);
    };

    #start() {
      this.#isReady = true;
      for (const message of this.#unsent.splice(0)) this.#postNow(message);
    }

    #handle(message) {
      if (message.s === "__cb") return this.#resolve(...message.a);
      const start = `/${this.#id}::`;
      const name = `${message.s}`.startsWith(start) ? message.s.slice(start.length) : null;
      const handlers = this.#handlers.get(name);
      if (handlers) this.#answer(message, handlers);
      else if (name !== null && this.#early.length < EARLY_COUNT_MAX) this.#early.push(message);
    }

    #resolve(call, answers) {
      this.#replies.get(call)?.(answers);
      this.#replies.delete(call);
    }

    async #answer({ a, c }, handlers) {
      const answers = await Promise.all(handlers.map((handler) => handler(a[0], this)));
      if (c) this.#post({ s: "__cb", c: null, a: [c, answers] });
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

  const context = {
    /** Opens a frame; resolves to it after the callback's promise. */
    async open(options, callback) {
      const frame = new Iframe(options);
      try {
        await callback?.(frame);
      } catch (error) {
        frame.close();
        throw error;
      }
      return frame;
    },
  };

  const iframes = {
    Iframe,
    getContext: () => context,
    CROSS_ORIGIN_IFRAMES_FILTER: () => true,
    SAME_ORIGIN_IFRAMES_FILTER: (frame) => frame.getOrigin() === location.origin,
  };

  /** Loads nothing: `gapi.iframes` is already present, and other features are not available. */
  function load(features, options) {
    const { callback, onerror } = typeof options === "function" ? { callback: options } : options ?? {};
    const missing = features.split(":").filter((feature) => !["gapi.iframes", "iframes"].includes(feature));
    if (missing.length) console.warn(`Firemeter's gapi.js provides gapi.iframes only, not ${missing.join(", ")}.`);
    setTimeout(missing.length ? onerror ?? (() => {}) : callback);
  }

  /** Calls the function named by `?onload=` in this script's URL, as Google's script does. */
  function announce(url) {
    const name = url && new URL(url).searchParams.get("onload");
    if (name) setTimeout(() => window[name]?.());
  }

  window.gapi ??= {};
  window.gapi.load ??= load;
  if (!window.gapi.iframes?.Iframe) window.gapi.iframes = iframes;
  announce(document.currentScript?.src);
})();
