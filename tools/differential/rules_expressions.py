# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Random expressions of the rules' language, as the condition of reading one document.

An expression is made for a wanted type from templates, in which `@type` stands for an expression of that type. Half of
the cases are well typed throughout, though they may still divide by zero or read past an end; into the others come
mistakes: an operand of another type, a missing field, null, an unknown method, an argument too few or too many.
"""

import base64
import itertools
import json
import re

from rules_sides import DOCUMENTS, RULES_REFUSED, Comparison, Request, alice, reference, timestamp, user_token

NAME = "expressions"
DEPTH_MAX = 5
LEAF_RATE = 0.15
CALL_RATE = 0.04
VARIABLE_RATE = 0.5
BARE_RATE = 0.1
MISTAKE_RATE = 0.03
PLACEHOLDER = re.compile(r"@([a-z_]+)")
ARGUMENTS = re.compile(r"(?<=[\w])\((@[a-z_]+(?:, @[a-z_]+)*)?\)")
METHOD = re.compile(r"\.([a-z][A-Za-z0-9]*)\(")
READING = Request("GET", f"{DOCUMENTS}/c/d")
TOKEN = alice(
    email="alice@example.com", email_verified=True, level=3, ratio=1.5, tags=["a", "b"], limits={"a": 1, "b": 5}, role="x"
)
DOCUMENT_FIELDS = {
    "c/d": {
        "n": 1, "s": "x", "b": True, "f": 1.5, "l": [1, 2], "w": ["a", "b"], "m": {"a": 1, "b": 2}, "nul": None,
        "t": timestamp("2024-01-02T03:04:05.678901Z"), "g": {"geoPointValue": {"latitude": 1.5, "longitude": 2}},
        "y": {"bytesValue": "AAH/"}, "r": reference("c/d"), "deep": {"m": {"l": [1, {"a": 2}], "s": "ab"}},
    },
    "c/e": {"n": 2, "s": "a b"},
}  # fmt: skip


def in_key_order(content):
    """Maps with their keys in order: values() and reports show the order in which they are stored, which is ours only then."""
    if isinstance(content, dict):
        return {key: in_key_order(content[key]) for key in sorted(content)}
    return [in_key_order(element) for element in content] if isinstance(content, list) else content


ORDERED_FIELDS = in_key_order(DOCUMENT_FIELDS)
ORDERED_TOKEN = user_token(**in_key_order(json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))))

# Expressions without operands, by type.
LEAVES = {
    "bool": ["true", "false", "resource.data.b", "request.auth.token.email_verified", "exists(@doc)", "resource != null"],
    "int": [
        "0", "1", "2", "3", "7", "-1", "10", "9223372036854775807", "resource.data.n", "resource.data['n']",
        "request.auth.token.level", "resource.data.l[0]", "resource.data.m.a", "get(@doc).data.n", "resource.data.get('n', 5)",
    ],
    "float": ["0.0", "1.0", "1.5", "-0.5", "2.25", "-2.0", "resource.data.f", "request.auth.token.ratio", "1e3"],
    "string": [
        "'a'", "'b'", "'ab'", "''", "'A b'", "' x '", "'a,b'", "'é'", "'😀'", "'12'", "resource.data.s", "resource.id",
        "request.auth.uid", "request.auth.token.email", "request.auth.token.role", "request.method", "id", "database",
        "resource.data.deep.m.s", "get(@doc).data.s", "get(@doc).id",
    ],
    "int_list": ["[]", "[1]", "[1, 2]", "[3, 1, 1]", "resource.data.l", "[0, -1, 7]"],
    "string_list": ["[]", "['a']", "['a', 'b']", "['b', 'a', 'b']", "resource.data.w", "request.auth.token.tags"],
    "list": ["[1, 'a']", "[null, 1.0, 1]", "[[1], [1.0]]", "resource.data.deep.m.l", "[true, {'a': 1}]"],
    "set": ["[1, 2].toSet()", "['a', 'b'].toSet()", "[].toSet()", "[1, 1.0, 'a'].toSet()"],
    "map": ["{}", "{'a': 1}", "{'a': 1, 'b': 2}", "{'c': 3, 'a': 0}", "resource.data.m", "request.auth.token.limits"],
    "any_map": ["resource.data", "request.auth.token.firebase", "{'a': 'x', 'b': null}", "resource.data.deep", "resource"],
    "path": [
        "(/a/b)", "(/c/d)", "(/a/b/c)", "(/a/{x})", "request.path", "resource.data.r", "resource.__name__", "@doc",
        "(/databases/(default)/documents/c/d)",
    ],
    "timestamp": [
        "timestamp.value(0)", "timestamp.date(2024, 1, 2)", "resource.data.t", "timestamp.value('2024-01-02T03:04:05.678Z')",
        "timestamp.value(-1)", "timestamp.date(1969, 12, 31)", "timestamp.value(1700000000123)",
    ],
    "duration": [
        "duration.value(1, 's')", "duration.value(-90, 'm')", "duration.time(1, 2, 3, 4)", "duration.value(1, 'w')",
        "duration.value(5, 'ns')", "duration.value(36, 'h')",
    ],
    "latlng": ["latlng.value(1, 2)", "latlng.value(1.5, 2.0)", "resource.data.g", "latlng.value(-90.0, 180)"],
    "bytes": ["b'a'", "b''", "b'\\x00\\xff'", "resource.data.y", "b'ab'", "'é'.toUtf8()"],
    "null": ["null", "resource.data.nul"],
    "map_diff": ["{'a': 1}.diff({'a': 2})", "resource.data.diff({})", "{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3})"],
    # Places in which most values of a type would only be refused.
    "unit": ["'s'", "'m'", "'h'", "'d'", "'w'", "'ms'", "'ns'", "'seconds'"],
    "pattern": ["'a'", "'[a-c]+'", "'.*'", "''", "'^x$'", "','", "'\\\\s'", "'(a)(b)?'", "'a|b'", "'('"],
    "key": ["'a'", "'b'", "'c'", "'n'"],
    "index": ["0", "0", "1", "2", "-1"],
    "plain_float": ["0.1", "1.5", "-2.0", "100.0", "1e7", "0.001", "1e-4", "resource.data.f", "123456.789"],
    "number_text": ["'12'", "'-3'", "'1.5'", "'0x1'", "' 1'", "'1e2'", "'+7'", "''", "resource.data.s"],
    "degrees": ["0", "1", "1.5", "-90", "90", "180", "-45.25", "91"],
    "year": ["2024", "1970", "1", "9999", "2023", "0"],
    "month": ["1", "2", "12", "6", "13"],
    "day": ["1", "28", "29", "31", "0"],
    "doc": [
        "/databases/$(database)/documents/c/d", "/databases/(default)/documents/c/$(id)",
        "/databases/$(database)/documents/c/e", "/databases/$(database)/documents/c/none",
    ],
    "type_name": [
        "bool", "int", "float", "number", "string", "list", "map", "set", "timestamp", "duration", "latlng", "path", "bytes",
        "map_diff", "constraint",
    ],
    "missing": [
        "resource.data.zz", "request.auth.token.zz", "resource.data.s.zz", "request.zz", "null", "resource.data.nul.x",
        "zz", "nosuch(1)", "resource.data.l[9]", "1 / 0", "get(/a/b)",
    ],
}  # fmt: skip
NOT_FOR_MISTAKES = {"type_name", "doc", "unit", "pattern", "index", "degrees", "year", "month", "day", "plain_float"}

# Expressions with operands, by type.
TEMPLATES = {
    "bool": [
        "@bool && @bool", "@bool || @bool", "@bool && @bool", "@bool || @bool", "!@bool", "@bool == @bool",
        "@any is @type_name", "@any == @any", "@any != @any", "@any == null", "@bool != @bool",
        "@int in @int_list", "@string in @string_list", "@any in @list", "@int in @set", "@any in @set", "@key in @map",
        "@string in @any_map", "@string.matches(@pattern)", "math.isNaN(@float)", "math.isInfinity(@number)",
        "@int_list.hasAll(@int_list)", "@int_list.hasAny(@int_list)", "@string_list.hasOnly(@string_list)",
        "@list.hasAny(@list)", "@set.hasAll(@set)", "@set.hasAny(@any_list)", "@set.hasOnly(@set)",
        "@any_list.hasAll(@any_list)", "@any_list.hasOnly(@any_list)", "[@any, @any] == [@any, @any]",
        "{@key: @any} == {@key: @any}", "@set.hasOnly(@any_list)", "existsAfter(@doc)", "debug(@bool)",
        "@bool && @bool || @bool", "request.time is timestamp && @bool", "request.resource == null", "@any in [@any, @any]",
    ],
    "int": [
        "@int + @int", "@int - @int", "@int * @int", "@int / @int", "@int % @int", "-(@int)", "math.abs(@int)",
        "math.round(@float)", "int(@float)", "int(@number_text)", "@string.size()", "@any_list.size()", "@map.size()",
        "@set.size()", "@bytes.size()", "@int_list[@index]", "@map[@key]", "@map.get(@key, @int)", "@map.get([@key], @int)",
        "@timestamp.year()", "@timestamp.month()", "@timestamp.day()", "@timestamp.dayOfWeek()", "@timestamp.dayOfYear()",
        "@timestamp.hours()", "@timestamp.minutes()", "@timestamp.seconds()", "@timestamp.nanos()", "@timestamp.toMillis()",
        "@duration.seconds()", "@duration.nanos()", "int(@int)", "@any_map.size()", "{'a': {'b': @int}}.a.b",
        "{'a': {'b': @int}}.get(['a', @key], @int)", "[@int, @int][@index]", "@any_map.get(@key, @int)", "get(@doc).data.n",
    ],
    "float": [
        "@float + @float", "@float - @number", "@number * @float", "@float / @number", "@float % @number", "-(@float)",
        "math.abs(@float)", "math.ceil(@number)", "math.floor(@number)", "math.sqrt(@number)", "math.pow(@number, @number)",
        "float(@int)", "float(@number_text)", "@latlng.latitude()", "@latlng.longitude()", "@int + @float", "float(@float)",
    ],
    "string": [
        "@string + @string", "@string.lower()", "@string.upper()", "@string.trim()", "@string.replace(@pattern, @string)",
        "string(@int)", "string(@plain_float)", "string(@bool)", "string(@path)", "string(@null)", "string(@string)",
        "@string_list.join(@string)", "@int_list.join(@string)", "@string[@index]", "@string[@index:@index]",
        "@string[@index:]", "@bytes.toBase64()", "@bytes.toHexString()", "@path[@index]", "@string_list[@index]",
        "@string.split(@pattern)[@index]", "{'s': @string}.s", "{'s': @string}[@key]", "@any_map.get(@key, @string)",
        "(/a/{x}).bind({'x': @string}).x",
    ],
    "int_list": [
        "[@int]", "[@int, @int]", "@int_list.concat(@int_list)", "@int_list.removeAll(@int_list)", "@map.values()",
        "@int_list[@index:@index]", "@int_list[:@index]",
    ],
    "string_list": [
        "[@string]", "[@string, @string, @string]", "@string.split(@pattern)", "@map.keys()", "@any_map.keys()",
        "@string_list.concat(@string_list)", "@string_list.removeAll(@string_list)",
    ],
    "list": [
        "[@any]", "[@any, @any]", "@any_list.concat(@any_list)", "@any_list.removeAll(@any_list)", "@any_map.values()",
        "@list[@index:@index]",
    ],
    "set": [
        "@any_list.toSet()", "@int_list.toSet()", "@set.union(@set)", "@set.intersection(@set)", "@set.difference(@set)",
        "@map_diff.addedKeys()", "@map_diff.affectedKeys()", "@map_diff.removedKeys()", "@map_diff.changedKeys()",
        "@map_diff.unchangedKeys()",
    ],
    "map": ["{@key: @int}", "{@key: @int, @key: @int}", "{'a': @map}.a"],
    "any_map": ["{@key: @any}", "{@key: @any, 'b': @any_map}", "{@string: @any}", "{'a': @any_map}.get('a', @map)"],
    "path": [
        "path(@string)", "/c/$(@string)", "/c/$(@any)/d", "(/c/{x}).bind({'x': @string})", "(/c/{x=**}).bind({'x': @path})",
        "@path[@index:@index]", "/$(@path)/b", "@path.bind(@any_map)",
    ],
    "timestamp": [
        "timestamp.value(@int)", "timestamp.date(@year, @month, @day)", "@timestamp + @duration", "@duration + @timestamp",
        "@timestamp - @duration", "@timestamp.date()",
    ],
    "duration": [
        "duration.value(@int, @unit)", "duration.time(@int, @int, @int, @int)", "duration.abs(@duration)",
        "@timestamp - @timestamp", "@duration + @duration", "@duration - @duration", "-(@duration)", "@timestamp.time()",
    ],
    "latlng": ["latlng.value(@degrees, @degrees)", "latlng.value(@number, @number)"],
    "bytes": [
        "@string.toUtf8()", "hashing.md5(@string)", "hashing.sha256(@bytes)", "hashing.crc32(@string)",
        "hashing.crc32c(@bytes)",
    ],
    "map_diff": ["@map.diff(@map)", "@any_map.diff(@any_map)"],
}  # fmt: skip
ANY_TYPES = [*TEMPLATES, "null"]
UNIONS = {"any": ANY_TYPES, "number": ["int", "float"], "any_list": ["int_list", "string_list", "list"]}
ORDERED_TYPES = ["int", "float", "number", "string", "bytes", "timestamp", "duration"]
for kind, operator in itertools.product(ORDERED_TYPES, ["<", "<=", ">", ">="]):
    TEMPLATES["bool"].append(f"@{kind} {operator} @{kind}")
for kind, operator in itertools.product([name for name in ANY_TYPES if name != "bool"], ["==", "!="]):
    TEMPLATES["bool"].append(f"@{kind} {operator} @{kind}")


class ExpressionMaker:
    """Makes one expression with the functions that it calls."""

    def __init__(self, random):
        self.random = random
        self.mistake_rate = MISTAKE_RATE if random.random() < 0.5 else 0
        self.functions = []
        self.variables = {}
        self.names = itertools.count(1)

    def make(self, wanted, depth):
        """An expression of the wanted type with up to `depth` levels of operands."""
        if self.random.random() < self.mistake_rate and wanted not in NOT_FOR_MISTAKES:
            wanted = self.random.choice(["missing", "missing", *ANY_TYPES])
        if wanted in UNIONS:
            return self.make(self.random.choice(UNIONS[wanted]), depth)
        if self.variables.get(wanted) and self.random.random() < VARIABLE_RATE:
            return self.random.choice(self.variables[wanted])
        if depth <= 0 or wanted not in TEMPLATES or self.random.random() < LEAF_RATE:
            return self.filled(self.random.choice(LEAVES[wanted]), 0)
        if self.random.random() < CALL_RATE:
            return self.call(wanted, depth - 1)
        if self.random.random() < CALL_RATE:
            return self.filled(f"(@bool ? @{wanted} : @{wanted})", depth - 1)
        return self.filled(self.random.choice(TEMPLATES[wanted]), depth - 1)

    def filled(self, template, depth):
        """A template with expressions in its places, in parentheses where it has operators, mostly."""
        if self.random.random() < self.mistake_rate:
            template = self.spoilt(template)
        text = PLACEHOLDER.sub(lambda place: self.operand(place, depth), template)
        if template.startswith(("/", "-", "!")) or (" " in template and is_operation(template)):
            return text if self.random.random() < BARE_RATE and not template.startswith("/") else f"({text})"
        return text

    def operand(self, place, depth):
        text = self.make(place[1], depth)
        is_receiver = place.string[place.end() : place.end() + 1] in (".", "[")
        return f"({text})" if is_receiver and not text.endswith((")", "]", "'", "}")) and " " in text else text

    def spoilt(self, template):
        """A template with an argument too few or too many, or with an unknown method."""
        if self.random.random() < 0.3:
            return METHOD.sub(".nope(", template, count=1)
        has_more = self.random.random() < 0.5

        def changed(arguments):
            given = arguments[1].split(", ") if arguments[1] else []
            return f"({', '.join([*given, '@any'] if has_more else given[:-1])})"

        return ARGUMENTS.sub(changed, template, count=1)

    def call(self, wanted, depth):
        """A call of a new function with parameters and variables of its own."""
        outer, self.variables = self.variables, {}
        lets, parameters = [], []
        for kind in self.kinds(2):
            parameters.append((self.new_variable(kind), kind))
        for kind in self.kinds(2):
            content = self.make(kind, depth - 1)
            lets.append(f"let {self.new_variable(kind)} = {content};")
        body = self.make(wanted, depth)
        self.variables = outer
        name = f"f{next(self.names)}"
        header = f"function {name}({', '.join(parameter for parameter, _ in parameters)})"
        self.functions.append(f"{header} {{ {' '.join([*lets, f'return {body};'])} }}")
        return f"{name}({', '.join(self.make(kind, depth) for _, kind in parameters)})"

    def kinds(self, count_max):
        return [self.random.choice(ANY_TYPES) for _ in range(self.random.randint(0, count_max))]

    def new_variable(self, kind):
        name = f"v{next(self.names)}"
        self.variables.setdefault(kind, []).append(name)
        return name


def is_operation(template):
    """Whether a space of the template is outside all parentheses, brackets and braces."""
    level = 0
    for character in template:
        level += (character in "([{") - (character in ")]}")
        if character == " " and not level:
            return True
    return False


def rules_of(expression, functions):
    lines = ["rules_version = '2';", "service cloud.firestore { match /databases/{database}/documents { match /c/{id} {"]
    return "\n".join([*lines, *functions, "allow get: if", expression + ";", "} } }", ""])


def prepare(sides):
    sides.load(DOCUMENT_FIELDS)


def compare(sides, random):
    """One random expression on both sides."""
    maker = ExpressionMaker(random)
    expression = maker.make("bool", random.randint(1, DEPTH_MAX))
    rules = rules_of(expression, maker.functions)
    ours, official = sides.both(lambda side: side.ask(READING, TOKEN) if side.put_rules(rules) else RULES_REFUSED)
    return [Comparison("\n".join([*maker.functions, expression]), ours, official)]
