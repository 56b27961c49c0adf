// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Signature {
    static let index = forms(
        "string, int -> string; list, int -> any; map, string -> any; path, int -> any; path, string -> any"
    )
    static let slice = forms(
        "string, null, null -> string; list, null, int -> list; path, int, null -> path; path, int, int -> path"
    )
    static let pathPart: [StaticType] = [.path, .null, .int, .float, .string, .bool]

    /// The forms of the methods, the receiver first.
    static let methods: [String: [Signature]] = [
        "size": "string -> int; bytes -> int; list -> int; set -> int; map -> int",
        "lower": "string -> string", "upper": "string -> string", "trim": "string -> string",
        "toUtf8": "string -> bytes", "matches": "string, string -> bool", "split": "string, string -> list",
        "replace": "string, string, string -> string", "concat": "list, list -> list",
        "removeAll": "list, list -> list", "join": "list, string -> string", "toSet": "list -> set",
        "hasAll": "list, list -> bool; set, set -> bool; set, list -> bool",
        "hasAny": "list, list -> bool; set, set -> bool; set, list -> bool",
        "hasOnly": "list, list -> bool; set, set -> bool; set, list -> bool",
        "difference": "set, set -> set", "intersection": "set, set -> set", "union": "set, set -> set",
        "diff": "map, map -> map_diff", "keys": "map -> list", "values": "map -> list",
        "get": "map, string, any -> any; map, list, any -> any",
        "addedKeys": "map_diff -> set", "affectedKeys": "map_diff -> set", "changedKeys": "map_diff -> set",
        "removedKeys": "map_diff -> set", "unchangedKeys": "map_diff -> set",
        "toBase64": "bytes -> string", "toHexString": "bytes -> string",
        "date": "timestamp -> timestamp", "time": "timestamp -> duration", "day": "timestamp -> int",
        "dayOfWeek": "timestamp -> int", "dayOfYear": "timestamp -> int", "hours": "timestamp -> int",
        "minutes": "timestamp -> int", "month": "timestamp -> int", "year": "timestamp -> int",
        "toMillis": "timestamp -> int", "nanos": "duration -> int; timestamp -> int",
        "seconds": "duration -> int; timestamp -> int", "distance": "latlng, latlng -> float",
        "latitude": "latlng -> float", "longitude": "latlng -> float", "bind": "path, map -> path",
    ].mapValues(forms)

    /// The forms of the functions that every service has.
    static let functions: [String: [Signature]] = [
        "int": "int -> int; float -> int; string -> int", "float": "int -> float; float -> float; string -> float",
        "string":
            "int -> string; float -> string; null -> string; string -> string; bool -> string; path -> string",
        "path": "string -> path", "vector": "list -> vector",
        "math.abs": "int -> int; float -> float", "math.ceil": "float -> float; int -> float",
        "math.floor": "float -> float; int -> float", "math.sqrt": "float -> float; int -> float",
        "math.round": "float -> int; int -> int", "math.isNaN": "float -> bool; int -> bool",
        "math.isInfinity": "float -> bool; int -> bool",
        "math.pow": "float, float -> float; int, int -> float",
        "timestamp.date": "int, int, int -> timestamp", "timestamp.value": "int -> timestamp; string -> timestamp",
        "duration.abs": "duration -> duration", "duration.time": "int, int, int, int -> duration",
        "duration.value": "int, string -> duration", "latlng.value": "float, float -> latlng; int, int -> latlng",
        "hashing.crc32": "bytes -> bytes; string -> bytes", "hashing.crc32c": "bytes -> bytes; string -> bytes",
        "hashing.md5": "bytes -> bytes; string -> bytes", "hashing.sha256": "bytes -> bytes; string -> bytes",
    ].mapValues(forms)

    /// The forms of the functions of Firestore's rules.
    static let firestoreFunctions: [String: [Signature]] = [
        "get": "path -> any", "exists": "path -> any", "getAfter": "path -> any", "existsAfter": "path -> any",
    ].mapValues(forms)

    static let debug = forms("any -> any")
}
