# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Reads literals out of TypeScript: objects, lists, strings, templates and numbers, with the names that a caller defines.

Data that others keep in TypeScript is read without a compiler. Nothing is executed: a name, a member, a call and `+` or `*`
mean what the caller's scope says they do.
"""

import json
import re

BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
NAME = re.compile(r"[A-Za-z_$][\w$]*")
CAST = re.compile(r"as (?:const|never)\b")
# A statement of a function, not of one in a literal.
RETURN = r"(?m)^  (?:if \(.*\) )?return "
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}


class LiteralError(Exception):
    """The text is not a literal of the kinds that are read."""


class Source:
    """One file."""

    def __init__(self, text):
        self.text = text

    def constant(self, name, scope=None, inside=None):
        """The value that `const name = …` has, the first such after the start of a function."""
        return self.value_after(rf"\bconst {name}\b[^=]*=\s*", self.start_of(inside), scope)

    def returned(self, function, scope=None, branch=0):
        """The value of a function's first `return`, or of a later one."""
        position = self.start_of(function)
        for _ in range(branch):
            position = self.match(RETURN, position).end()
        return self.value_after(RETURN, position, scope)

    def constants(self, scope=None):
        """All constants that begin a line, by name; each may use those before it."""
        scope = dict(scope or {})
        for match in re.finditer(r"^(?:export )?const (\w+)[^=\n]*=\s*", self.text, re.MULTILINE):
            scope[match[1]] = _Reader(self.text, match.end(), scope).value()
        return scope

    def start_of(self, function):
        return self.match(rf"\bfunction {function}\(", 0).end() if function else 0

    def value_after(self, pattern, position, scope):
        return _Reader(self.text, self.match(pattern, position).end(), scope or {}).value()

    def match(self, pattern, position):
        found = re.compile(pattern).search(self.text, position)
        if not found:
            raise LiteralError(f"no {pattern}")
        return found


class _Reader:
    def __init__(self, text, position, scope):
        self.text, self.position, self.scope = text, position, scope

    def value(self):
        value = self.operand()
        while operator := self.taken("+", "*"):
            other = self.operand()
            value = value + other if operator == "+" else value * other
        return value

    def operand(self):
        value = self.primary()
        while sign := self.taken(".", "("):
            value = member(value, self.pattern(NAME)) if sign == "." else value(*self.items(")"))
        self.optional(CAST)
        return value

    def primary(self):
        sign = self.taken("{", "[", "'", '"', "`")
        if sign == "{":
            return dict(self.entries())
        if sign == "[":
            return list(self.items("]"))
        if sign:
            return self.string(sign)
        if number := self.optional(NUMBER):
            self.taken("n")
            # As in JavaScript, 1.0 is the integer 1.
            return int(float(number)) if float(number).is_integer() else float(number)
        name = self.pattern(NAME)
        constants = {"true": True, "false": False, "null": None, **self.scope}
        if name not in constants:
            raise self.error(f"{name} is not known")
        return constants[name]

    def entries(self):
        while not self.taken("}"):
            quote = self.taken("'", '"')
            key = self.string(quote) if quote else self.pattern(NAME)
            # A key alone stands for the name's value.
            yield key, self.value() if self.taken(":") else self.scope[key]
            self.taken(",")

    def items(self, end):
        while not self.taken(end):
            yield self.value()
            self.taken(",")

    def string(self, quote):
        parts = []
        while not self.text.startswith(quote, self.position):
            if quote == "`" and self.text.startswith("${", self.position):
                self.position += 2
                parts.append(written(self.value()))
                if not self.taken("}"):
                    raise self.error("`}` is missing")
            else:
                parts.append(self.character())
        self.position += 1
        return "".join(parts)

    def character(self):
        character = self.text[self.position]
        self.position += 1
        if character != "\\":
            return character
        escape = self.text[self.position]
        self.position += 1
        if escape == "u":
            self.position += 4
            return json.loads(f'"{self.text[self.position - 6 : self.position]}"')
        return ESCAPES.get(escape, escape)

    def taken(self, *signs):
        """The sign that comes next, now behind; `None` for another."""
        self.position = BLANK.match(self.text, self.position).end()
        for sign in signs:
            if self.text.startswith(sign, self.position):
                self.position += len(sign)
                return sign
        return None

    def optional(self, pattern):
        self.taken()
        match = pattern.match(self.text, self.position)
        if not match:
            return None
        self.position = match.end()
        return match[0]

    def pattern(self, pattern):
        found = self.optional(pattern)
        if found is None:
            raise self.error("not a literal")
        return found

    def error(self, problem):
        line = self.text.count("\n", 0, self.position) + 1
        return LiteralError(f"line {line}: {problem}: {self.text[self.position : self.position + 40]!r}")


def member(value, name):
    if isinstance(value, list) and name == "join":
        return lambda separator: separator.join(value)
    return value[name]


def written(value):
    """A value as a template writes it."""
    return value if isinstance(value, str) else json.dumps(value)
