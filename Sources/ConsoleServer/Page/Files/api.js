// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Calls to the console's port. The data of Firestore, Storage and Authentication are behind it, too, in Google's own APIs:
// `/console/firestore/v1/…`, `/console/storage/v0/…` and `/storage/v1/…`, `/console/auth/…`; they are not metered there.

/// An answer that says no; `status` is HTTP's.
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let state;

/// The answer of `GET /console/state`, asked for once: version, project, services, token.
export function consoleState() {
  state ??= get("/console/state").catch((error) => { state = undefined; throw error; });
  return state;
}

/// Has the state asked for again when it is next needed: another start of the emulator has another token.
export function forgetState() { state = undefined; }

/// Where apps find a service, by its entry in the answer of `GET /console/state`: `http://127.0.0.1:8080`.
export function serviceAddress({ services }, name) {
  const { host, port } = services[name];
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/// Asks for JSON.
export async function get(path, { signal } = {}) {
  return parsed(await fetched(path, { signal, headers: ownerHeaders(path) }));
}

/// Sends what changes something, or a question that needs a body; answers JSON.
export async function send(method, path, body, { headers = {}, signal } = {}) {
  return parsed(await sendRaw(method, path, body, { headers, signal }));
}

/// As `send`; answers the response itself.
export async function sendRaw(method, path, body, options = {}) {
  try {
    return await sendOnce(method, path, body, options);
  } catch (error) {
    // Firemeter was started again, and has another token.
    if (error.status !== 403 || !error.message.includes("X-Firemeter-Token")) throw error;
    state = undefined;
    return sendOnce(method, path, body, options);
  }
}

async function sendOnce(method, path, body, { headers = {}, signal }) {
  const { token } = await consoleState();
  const isJSON = body !== undefined && !(body instanceof Blob) && !(body instanceof ArrayBuffer);
  return fetched(path, {
    method,
    signal,
    headers: {
      "X-Firemeter-Token": token,
      ...ownerHeaders(path),
      ...(isJSON ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    body: isJSON ? JSON.stringify(body) : body,
  });
}

/// As `get`; answers the response itself.
export function getRaw(path, { headers = {}, signal } = {}) {
  return fetched(path, { signal, headers: { ...ownerHeaders(path), ...headers } });
}

/// The console looks at data as an administrator does.
function ownerHeaders(path) {
  return /^\/console\/(firestore|storage|auth)\//.test(path) ? { Authorization: "Bearer owner" } : {};
}

async function fetched(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "Firemeter does not answer; is it still running?");
  }
  if (!response.ok) throw new Refusal(response.status, await refusalText(response));
  return response;
}

async function refusalText(response) {
  const text = await response.text();
  try {
    const { error, message } = [JSON.parse(text)].flat()[0];
    return (typeof error === "string" ? error : error?.message) ?? message ?? text;
  } catch {
    return text || `The answer was ${response.status}.`;
  }
}

async function parsed(response) {
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
}

/// Server-sent events, until the returned function is called; a broken connection is made again. A hidden page has none: browsers
/// allow six to a host, and several tabs would take them all.
///
/// `handlers`: a function for each name of an event, which takes its JSON; `open` and `lost` for the connection, `paused` where the
/// page was hidden.
export function events(path, handlers) {
  let source;
  let timer;
  let isWanted = false;
  const address = () => (typeof path === "function" ? path() : path);
  const connect = () => {
    source = new EventSource(address());
    source.onopen = () => handlers.open?.();
    source.onerror = () => {
      source.close();
      handlers.lost?.();
      timer = setTimeout(connect, 1_000);
    };
    for (const [name, take] of Object.entries(handlers)) {
      if (!connectionHandlers.has(name)) source.addEventListener(name, (event) => take(JSON.parse(event.data)));
    }
  };
  const disconnect = () => {
    clearTimeout(timer);
    source?.close();
  };
  const adapt = () => {
    if (isWanted === !document.hidden) return;
    isWanted = !document.hidden;
    if (isWanted) return connect();
    disconnect();
    handlers.paused?.();
  };
  document.addEventListener("visibilitychange", adapt);
  adapt();
  return () => {
    document.removeEventListener("visibilitychange", adapt);
    disconnect();
  };
}

const connectionHandlers = new Set(["open", "lost", "paused"]);
