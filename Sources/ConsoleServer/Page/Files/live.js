// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The app as it runs: usage and its limits, rates, and requests as they come.

import { consoleState, get, serviceAddress } from "./api.js";
import { download, fill, make, notice, setText } from "./dom.js";
import { count, counted } from "./format.js";
import { har } from "./har.js";
import { viewKeys } from "./keys.js";
import { liveChart } from "./live-chart.js";
import { liveTiles } from "./live-tiles.js";
import { liveTools } from "./live-tools.js";
import { parseFilter } from "./request-filter.js";
import { requestList } from "./request-list.js";
import { requestRows } from "./request-rows.js";
import { detailsPanel, requestDetails } from "./request-details.js";
import { streamRequests } from "./request-stream.js";
import { change } from "./route.js";

export function show(root, parameters) {
  const list = requestList(changed);
  const rows = requestRows(list, (request) => change({ open: request.number }, { replaces: true }));
  const tiles = liveTiles();
  const rates = liveChart();
  const panel = detailsPanel(() => { change({ open: null }, { replaces: true }); rows.element.focus(); });
  const tools = liveTools({ togglePause, clear, save });
  const problem = make("div");
  const empty = make("div", { class: "empty soft" });
  let origin = () => location.origin;
  let version = "";
  let places = "this emulator";
  let opened;
  let lostCount = 0;

  fill(root,
    make("h1", {}, "Live"),
    tiles.element,
    rates.element,
    make("section", { "aria-label": "Requests" }, tools.element, problem,
      make("div", { class: "beside" }, make("div", { class: "list" }, rows.element, empty), panel.element)));

  consoleState().then((state) => {
    version = state.version;
    origin = (service) => serviceAddress(state, service);
    places = servicePlaces(state);
    describe();
    if (!state.isMetered) fill(problem, notice("Nothing is metered: the emulator was started with --no-meter.", "warn"));
    if (opened) open(opened);
  }).catch((error) => fill(problem, notice(error.message, "bad")));

  function changed(added) {
    if (added === undefined) rows.setLength(list.length); else rows.prepend(added, list.length);
    if (opened && (added === undefined || rows.selected < 0)) rows.select(list.rowOf(opened));
    describe();
  }

  function describe() {
    const isFiltered = list.length !== list.keptCount;
    tools.describe({
      isPaused: list.isPaused,
      waiting: list.waitingCount,
      text: list.keptCount === 0 ? "" : `${isFiltered ? `${count(list.length)} of ` : ""}the last ${counted(list.keptCount, "request")}`,
      lostCount,
    });
    empty.hidden = list.length > 0;
    setText(empty, list.keptCount > 0 ? "No request matches the filter." : `No requests yet. Point your app at ${places}, and use it.`);
  }

  function togglePause() {
    if (list.isPaused) list.resume(); else list.pause();
    describe();
    tools.say(list.isPaused ? "Paused: the list stands." : "Requests are shown as they come.");
  }

  function clear() {
    list.clear();
    lostCount = 0;
    describe();
    tools.say("The list is empty.");
  }

  function save() {
    const name = `firemeter-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.har`;
    download(name, [har(list.shown, origin, version)], "application/json");
  }

  function filter(text) {
    tools.show(text);
    const { error, matches, isEmpty } = parseFilter(text);
    tools.complain(error);
    if (!error) list.filter(isEmpty ? undefined : matches);
  }

  async function open(number) {
    opened = number;
    if (!number) return panel.hide();
    rows.select(list.rowOf(number));
    let request = list.find(number);
    try {
      request ??= (await get(`/console/requests?after=${number - 1}&limit=1`)).requests.find((each) => each.number === number);
    } catch (error) {
      if (opened === number) panel.show(`Request ${number}`, notice(error.message, "bad"));
      return;
    }
    if (opened !== number) return;
    if (!request) return panel.show(`Request ${number}`, notice("This request is no longer kept."));
    const { heading, body } = requestDetails(request, origin);
    panel.show(heading, body);
  }

  let shown = {};
  function apply(next) {
    const [wanted, number, range] = [next.get("filter") ?? "", Number(next.get("open")) || undefined, next.get("range")];
    if (wanted !== shown.wanted) filter(wanted);
    if (range !== shown.range || !shown.isShown) rates.show(range);
    if (number !== shown.number) open(number);
    shown = { wanted, number, range, isShown: true };
  }

  apply(parameters);
  describe();
  const endStream = streamRequests({
    take: (requests) => { list.add(requests); if (list.isPaused) describe(); },
    lost: (number) => { lostCount += number; },
    restarted: () => list.clear(),
  });
  const endKeys = viewKeys({ p: { label: "Pause or resume", action: togglePause }, c: { label: "Clear the list", action: clear } });
  return {
    change: apply,
    end() { endStream(); endKeys(); tools.end(); tiles.end(); rates.end(); rows.end(); panel.end(); },
  };
}

const serviceNames = { firestore: "Firestore", storage: "Storage", auth: "Authentication" };

/// "Firestore 127.0.0.1:8080, Storage 127.0.0.1:9199": where apps find what is served.
function servicePlaces(state) {
  return Object.entries(serviceNames)
    .filter(([service]) => state.services[service])
    .map(([service, name]) => `${name} ${serviceAddress(state, service).replace("http://", "")}`)
    .join(", ");
}
