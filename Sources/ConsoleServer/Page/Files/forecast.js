// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The items of `GET /quota` by name, and the one whose free amount ends first at the present rate (`runsOutAt`).

export const itemLabels = {
  "storage.egressBytes": "downloads from Storage",
  "storage.classA": "class A operations",
  "storage.classB": "class B operations",
  "firestore.egressBytes": "downloads from Firestore",
  "firestore.documentReads": "document reads",
  "firestore.documentWrites": "document writes",
  "firestore.documentDeletes": "document deletes",
  "auth.tier1ActiveUsers": "active users",
  "auth.tier2ActiveUsers": "active users by SAML or OpenID Connect",
  "auth.smsMessages": "SMS",
};

export function quotaItem(quota, name) { return quota?.items?.find((item) => item.item === name); }

/// Whether so much of the free amount is used that its end is no guess of the first minutes.
export function isNear(item) { return (item?.percent ?? 0) >= 50; }

/// `{ label, at, isNear }` with milliseconds since the Unix epoch; `undefined` where all last until they begin again.
export function forecast(quota) {
  return (quota?.items ?? [])
    .filter((item) => item.runsOutAt)
    .map((item) => ({ label: itemLabels[item.item] ?? item.item, at: Date.parse(item.runsOutAt), isNear: isNear(item) }))
    .sort((left, right) => left.at - right.at)[0];
}
