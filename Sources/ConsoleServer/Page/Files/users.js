// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The users of Authentication: a list of any length, and one of them with all that can be changed.

import { accountsOf, listedMax, matches, orders, rowOf, tenantsOf } from "./accounts.js";
import { consoleState } from "./api.js";
import { button, fill, make, notice, setText } from "./dom.js";
import { count, counted, minute } from "./format.js";
import { viewKeys } from "./keys.js";
import { poll } from "./poll.js";
import { address, change } from "./route.js";
import { rows } from "./rows.js";
import { searchField } from "./search-field.js";
import { avatar, userDetail } from "./user-detail.js";
import { askForDeletion, askForNewUser } from "./user-forms.js";

const pollInterval = 3_000;
const drawInterval = 400;
/// Longer lists are read again only when that is asked for.
const reloadedMax = 5_000;

export function show(root, parameters) {
  let project;
  let accounts;
  let tenant;
  let all = [];
  let shown = [];
  let isWhole = true;
  let detail;
  let asked = parameters;
  let loading;

  const search = searchField("Search by name, e-mail, phone or id", "Search users");
  const sort = make("select", { "aria-label": "Order", on: { change: () => change({ sort: sort.value === "uid" ? null : sort.value }) } },
    Object.entries(orders).map(([name, order]) => make("option", { value: name }, order.title)));
  const tenants = make("select", { "aria-label": "Tenant", hidden: true, on: { change: () => change({ tenant: tenants.value, user: null }) } });
  const status = make("p", { class: "soft", role: "status" });
  const problem = make("div");
  const side = make("div", { class: "side" });
  const list = rows({
    rowHeight: 38,
    label: "Users",
    head: columns.map(([name, title]) => make("span", { class: `cell ${name}` }, title)),
    draw: (index) => drawRow(shown[index]),
    rowClass: (index) => (shown[index]?.uid === asked.get("user") ? "opened" : ""),
    open: (index) => change({ user: shown[index].uid }),
  });
  const remove = button("Delete these…", () => askForDeletion(accounts, [...shown], () => load()), { class: "danger" });
  fill(root,
    make("h1", {}, "Users"),
    make("div", { class: "tools" }, make("span", { class: "grow" }, search.element), sort, tenants,
      button("Create a user…", create, { class: "main" }), remove),
    status, problem,
    make("div", { class: "split" }, make("div", { class: "list" }, list.element), side));

  const watch = poll(async (signal) => {
    if (!accounts || loading) return;
    const now = await accounts.count(signal).catch(() => all.length);
    if (now === all.length || !isWhole) return;
    if (Math.max(now, all.length) <= reloadedMax) return load();
    fill(status, `${counted(now, "user")} now, ${count(all.length)} listed. `, button("Read them again", () => load()));
  }, pollInterval);
  const forgetKeys = viewKeys({
    n: { label: "create a user", action: create },
    Escape: { label: "close the user", action: () => change({ user: null }) },
  });

  /// Reads all users, and shows them when each page is there: at first at once, later in the place of the former ones.
  async function load() {
    loading?.abort();
    const abort = new AbortController();
    loading = abort;
    const isFirst = !all.length;
    const found = [];
    let drawn = -Infinity;
    try {
      isWhole = await accounts.load((page) => {
        found.push(...page);
        // Sorting them all for each page would take longer than reading them.
        if (!isFirst || performance.now() - drawn < drawInterval) return;
        all = found;
        arrange();
        drawn = performance.now();
        if (found.length >= 1_000) setText(status, `${counted(found.length, "user")}, and more are being read…`);
      }, abort.signal);
      all = found;
      fill(problem);
      loading = undefined;
      arrange();
      if (isFirst) revealOpened();
    } catch (error) {
      if (error.name === "AbortError") return;
      loading = undefined;
      fill(problem, notice(error.message, "bad"));
    }
  }

  function arrange() {
    const text = search.take(asked);
    const { compare } = orders[asked.get("sort")] ?? orders.uid;
    shown = text ? all.filter((row) => matches(row, text)) : compare ? [...all] : all;
    if (compare) shown.sort(compare);
    list.setLength(shown.length);
    list.select(shown.findIndex((row) => row.uid === asked.get("user")));
    remove.hidden = !shown.length;
    if (!loading) say(text);
  }

  async function say(text) {
    if (!all.length) {
      return setText(status, "There are no users yet: have your app sign one up, or create one here.");
    }
    const limit = isWhole ? "" : ` (the first ${count(listedMax)}; others are found by exact id, address or number)`;
    setText(status, text ? `${count(shown.length)} of ${counted(all.length, "user")}${limit}` : `${counted(all.length, "user")}${limit}`);
    if (text && !isWhole && !shown.length) {
      const found = await accounts.find(asked.get("q")).catch(() => []);
      if ((asked.get("q") ?? "").toLowerCase() === text && found.length) { shown = found; list.setLength(found.length); }
    }
  }

  function create() {
    if (accounts) askForNewUser(accounts, async (uid) => { await refresh(uid); change({ user: uid }); });
  }

  /// Brings the row of a user up to date; one that is gone has none.
  async function refresh(uid) {
    const user = await accounts.user(uid);
    const index = all.findIndex((row) => row.uid === uid);
    if (user && index >= 0) all[index] = rowOf(user);
    else if (user) all.push(rowOf(user));
    else if (index >= 0) all.splice(index, 1);
    arrange();
  }

  function revealOpened() {
    const index = shown.findIndex((row) => row.uid === asked.get("user"));
    if (index >= 0) list.reveal(index);
  }

  function drawDetail() {
    const uid = asked.get("user");
    root.classList.toggle("with-side", !!uid);
    if (detail?.uid === uid && detail?.tenant === tenant) return;
    detail?.view.end();
    detail = undefined;
    if (!uid) return fill(side);
    const view = userDetail({ accounts, uid, changed: () => refresh(uid), close: () => change({ user: null }) });
    detail = { uid, tenant, view };
    fill(side, view.element);
    // On a phone the list is not shown beside it.
    if (list.element.offsetParent) revealOpened(); else view.focus();
  }

  async function choose(wanted) {
    tenant = wanted;
    fill(problem);
    accounts = undefined;
    all = [];
    arrange();
    setText(status, "Reading users…");
    const known = await tenantsOf(project);
    tenants.hidden = known.length === 0;
    fill(tenants, make("option", { value: "" }, "The project itself"),
      known.map(({ id, name }) => make("option", { value: id }, name && name !== id ? `${name} (${id})` : id)));
    // The official emulator makes a tenant of any name that is asked for: an address must not.
    if (wanted && !known.some(({ id }) => id === wanted)) {
      setText(status, "");
      return fill(problem, notice(`There is no tenant “${wanted}”.`, "bad"),
        make("p", {}, make("a", { href: address("users") }, "All users of the project")));
    }
    tenants.value = wanted;
    accounts = accountsOf(project, wanted);
    drawDetail();
    await load();
  }

  async function apply(next) {
    asked = next;
    search.take(asked);
    sort.value = Object.hasOwn(orders, asked.get("sort")) ? asked.get("sort") : "uid";
    const wanted = asked.get("tenant") ?? "";
    try {
      project ??= (await consoleState()).project;
      if (wanted !== tenant) return await choose(wanted);
      if (!accounts) return;
      arrange();
      drawDetail();
    } catch (error) {
      fill(problem, notice(error.message, "bad"));
    }
  }

  apply(parameters);
  return {
    change: apply,
    end() { watch.end(); loading?.abort(); list.end(); detail?.view.end(); forgetKeys(); },
  };
}

const columns = [
  ["who", "User"], ["email", "E-mail"], ["phone", "Phone"], ["providers", "Providers"], ["created", "Created"], ["signed-in", "Last sign-in"],
];

function drawRow(row) {
  if (!row) return undefined;
  const cell = (name, text) => make("span", { class: `cell ${name}` }, text);
  return [
    make("span", { class: "cell who" }, avatar(row),
      make("span", { class: row.name ? "cut" : "cut soft" }, row.name || row.email || row.phone || row.uid),
      row.isDisabled && make("span", { class: "badge bad" }, "disabled")),
    cell("email", row.email), cell("phone", row.phone), cell("providers", row.providers),
    cell("created", row.created ? minute(row.created) : ""), cell("signed-in", row.signedIn ? minute(row.signedIn) : "never"),
  ];
}
