// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A function of a value; types share names.
enum Method: String, Sendable {
    case size, lower, upper, trim, matches, replace, split, toUtf8
    case toBase64, toHexString
    case hasAll, hasAny, hasOnly, concat, removeAll, join, toSet
    case union, intersection, difference
    case keys, values, get, diff
    case addedKeys, removedKeys, changedKeys, unchangedKeys, affectedKeys
    case bind
    case date, time, year, month, day, dayOfWeek, dayOfYear, hours, minutes, seconds, nanos, toMillis
    case latitude, longitude, distance

    /// The types of its arguments, for each form that a type has; `nil` where the type does not have it.
    func forms(of type: String) -> [[String]]? {
        switch (type, self) {
        case ("string", .size), ("string", .lower), ("string", .upper), ("string", .trim), ("string", .toUtf8),
            ("bytes", .size), ("bytes", .toBase64), ("bytes", .toHexString), ("list", .size), ("list", .toSet),
            ("set", .size), ("map", .size), ("map", .keys), ("map", .values), ("map_diff", .addedKeys),
            ("map_diff", .removedKeys), ("map_diff", .changedKeys), ("map_diff", .unchangedKeys),
            ("map_diff", .affectedKeys), ("duration", .seconds), ("duration", .nanos), ("latlng", .latitude),
            ("latlng", .longitude), ("timestamp", .date), ("timestamp", .time), ("timestamp", .year),
            ("timestamp", .month), ("timestamp", .day), ("timestamp", .dayOfWeek), ("timestamp", .dayOfYear),
            ("timestamp", .hours), ("timestamp", .minutes), ("timestamp", .seconds), ("timestamp", .nanos),
            ("timestamp", .toMillis):
            [[]]
        case ("string", .matches), ("string", .split), ("list", .join): [["string"]]
        case ("string", .replace): [["string", "string"]]
        case ("constraint", .hasAny), ("list", .hasAll), ("list", .hasAny), ("list", .hasOnly), ("list", .concat),
            ("list", .removeAll):
            [["list"]]
        case ("set", .hasAll), ("set", .hasAny), ("set", .hasOnly): [["set"], ["list"]]
        case ("set", .union), ("set", .intersection), ("set", .difference): [["set"]]
        case ("map", .get): [["string", "any"], ["list", "any"]]
        case ("map", .diff): [["map"]]
        case ("path", .bind): [["map"]]
        case ("latlng", .distance): [["latlng"]]
        default: nil
        }
    }
}
