// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

const GIVEN = ["Ada", "Bo", "Carmen", "Dmitri", "Eun", "Farid", "Grace", "Hana", "Ines", "Jonas", "Kofi", "Lena", "Mateo", "Nia"];
const FAMILY = ["Almond", "Birch", "Clover", "Dahlia", "Elder", "Fern", "Ginger", "Hazel", "Iris", "Juniper", "Laurel", "Maple"];

const below = (limit) => Math.floor(Math.random() * limit);

/** Random values for the form. */
export function samplePerson() {
  const given = GIVEN[below(GIVEN.length)];
  const family = FAMILY[below(FAMILY.length)];
  const screenName = `${given}_${family}`.toLowerCase();
  return {
    email: `${given}.${family}.${below(100_000)}@example.com`.toLowerCase(),
    displayName: `${given} ${family}`,
    screenName,
  };
}
