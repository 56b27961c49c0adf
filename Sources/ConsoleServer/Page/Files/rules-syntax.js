// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Colors of rules: a line is taken apart into words by their kinds. A comment over several lines carries on in the next.

const token = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\b\d+(?:\.\d+)?\b|[A-Za-z_]\w*|\s+|./gu;
const keywords = new Set([
  "rules_version", "service", "match", "allow", "if", "function", "return", "let", "import", "in", "is", "true", "false", "null",
]);
const methods = new Set(["read", "write", "get", "list", "create", "update", "delete"]);
const globals = new Set([
  "request", "resource", "exists", "existsAfter", "getAfter", "firestore", "math", "duration", "timestamp", "hashing", "latlng", "debug",
]);

/// The lines of a source, each as `[kind, text]` pairs; the kind is `undefined` for what has no color.
export function highlighted(source) {
  let isComment = false;
  return source.split(/\r\n|[\r\n]/).map((line) => {
    const parts = [];
    const add = (kind, text) => {
      const last = parts.at(-1);
      if (last && last[0] === kind) last[1] += text; else parts.push([kind, text]);
    };
    let rest = line;
    while (rest) {
      if (isComment) {
        const end = rest.indexOf("*/");
        add("comment", end < 0 ? rest : rest.slice(0, end + 2));
        rest = end < 0 ? "" : rest.slice(end + 2);
        isComment = end < 0;
        continue;
      }
      token.lastIndex = 0;
      const [text] = token.exec(rest);
      if (text === "/*") { isComment = true; continue; }
      add(kindOf(text, rest), text);
      rest = rest.slice(text.length);
    }
    return parts;
  });
}

function kindOf(text, rest) {
  if (text.startsWith("//")) return "comment";
  if (/^["']/.test(text)) return "string";
  if (/^\d/.test(text)) return "number";
  if (keywords.has(text)) return "keyword";
  if (methods.has(text) && /^\w+\s*[,:;]/.test(rest)) return "method";
  return globals.has(text) ? "global" : undefined;
}
