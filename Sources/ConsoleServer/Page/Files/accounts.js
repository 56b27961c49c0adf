// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The users of a project or a tenant, by Identity Toolkit's API.

import { get, send } from "./api.js";

/// The most users that are listed; others are found by their exact id, address or number.
export const listedMax = 200_000;
const pageSize = 1_000;
const root = "/console/auth/identitytoolkit.googleapis.com";

function path(project, tenant) {
  return `projects/${encodeURIComponent(project)}${tenant ? `/tenants/${encodeURIComponent(tenant)}` : ""}`;
}

/// The ids and names of the project's tenants; none where the project cannot have any.
export async function tenantsOf(project, signal) {
  try {
    const { tenants = [] } = await get(`${root}/v2/${path(project)}/tenants?pageSize=1000`, { signal });
    return tenants.map((tenant) => ({ id: tenant.tenantId ?? tenant.name.split("/").at(-1), name: tenant.displayName }));
  } catch (error) {
    if (error.status === 400) return [];
    throw error;
  }
}

/// The calls about the users of a project, or of one of its tenants.
export function accountsOf(project, tenant) {
  const base = `${root}/v1/${path(project, tenant)}/accounts`;
  const call = (verb, body, signal) => send("POST", `${base}${verb}`, body, { signal });
  return {
    async count(signal) {
      return Number((await call(":query", { returnUserInfo: false }, signal)).recordsCount);
    },
    /// Reads all users, page by page; `take` gets the rows of each.
    async load(take, signal) {
      let token;
      let listed = 0;
      do {
        const next = token ? `&nextPageToken=${encodeURIComponent(token)}` : "";
        const page = await get(`${base}:batchGet?maxResults=${pageSize}${next}`, { signal });
        const users = page.users ?? [];
        listed += users.length;
        token = users.length ? page.nextPageToken : undefined;
        take(users.map(rowOf));
      } while (token && listed < listedMax);
      return !token;
    },
    /// One user with all fields; `undefined` where there is none.
    async user(uid, signal) {
      return (await call(":lookup", { localId: [uid] }, signal)).users?.[0];
    },
    /// Users by an exact id, address or number.
    async find(text, signal) {
      return ((await call(":lookup", { localId: [text], email: [text], phoneNumber: [text] }, signal)).users ?? []).map(rowOf);
    },
    async create(fields) { return (await call("", fields)).localId; },
    update(uid, fields) { return call(":update", { localId: uid, ...fields }); },
    async remove(uids) {
      for (let first = 0; first < uids.length; first += pageSize) {
        const { errors } = await call(":batchDelete", { localIds: uids.slice(first, first + pageSize), force: true });
        if (errors?.length) throw new Error(errors[0].message);
      }
    },
  };
}

/// The part of a user that the list has: a hundred thousand of them are kept.
export function rowOf(user) {
  return {
    uid: user.localId,
    email: user.email ?? "",
    phone: user.phoneNumber ?? "",
    name: user.displayName ?? "",
    providers: providerNames(user),
    created: Number(user.createdAt ?? 0),
    signedIn: Number(user.lastLoginAt ?? 0),
    isDisabled: user.disabled === true,
  };
}

/// The ways in which a user signs in, as one text.
function providerNames(user) {
  const ids = (user.providerUserInfo ?? []).map((provider) => provider.providerId.replace(/\.com$/, ""));
  if (ids.length) return ids.join(", ");
  return user.customAuth ? "custom token" : user.email || user.phoneNumber ? "" : "anonymous";
}

/// Whether a row has a text (in lower case) in its id, address, number or name.
export function matches(row, text) {
  return row.uid.toLowerCase().includes(text) || row.email.toLowerCase().includes(text)
    || row.phone.includes(text) || row.name.toLowerCase().includes(text);
}

const byText = (pick) => (left, right) => (pick(left) < pick(right) ? -1 : pick(left) > pick(right) ? 1 : 0);

/// The orders of the list; `undefined` is that of the ids, in which users are read.
export const orders = {
  uid: { title: "by id" },
  created: { title: "newest first", compare: (left, right) => right.created - left.created },
  signedIn: { title: "last signed in first", compare: (left, right) => right.signedIn - left.signedIn },
  email: { title: "by e-mail", compare: byText((row) => row.email || "\uffff") },
  name: { title: "by name", compare: byText((row) => row.name.toLowerCase() || "\uffff") },
};
