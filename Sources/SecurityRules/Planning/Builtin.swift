// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A function that every file of rules has.
enum Builtin: String, Sendable {
    case string
    case int
    case float
    case path
    case debug
    case get
    case exists
    case getAfter
    case existsAfter
    case mathAbs = "math.abs"
    case mathCeil = "math.ceil"
    case mathFloor = "math.floor"
    case mathRound = "math.round"
    case mathSqrt = "math.sqrt"
    case mathPow = "math.pow"
    case mathIsNaN = "math.isNaN"
    case mathIsInfinity = "math.isInfinity"
    case hashingMD5 = "hashing.md5"
    case hashingSHA256 = "hashing.sha256"
    case hashingCRC32 = "hashing.crc32"
    case hashingCRC32C = "hashing.crc32c"
    case durationValue = "duration.value"
    case durationTime = "duration.time"
    case durationAbs = "duration.abs"
    case timestampDate = "timestamp.date"
    case timestampValue = "timestamp.value"
    case latlngValue = "latlng.value"

    /// Names of groups of functions; none can be a variable.
    static let packages: Set<String> = ["math", "hashing", "duration", "timestamp", "latlng"]

    /// The groups of a service's functions: rules of Storage look at documents by those of `firestore`.
    static func packages(of service: String) -> Set<String> {
        isStorage(service) ? packages.union(["firestore"]) : packages
    }

    /// The function with a name in rules of a service.
    init?(named name: String, of service: String) {
        switch (Self.isStorage(service), name) {
        case (true, "firestore.get"): self = .get
        case (true, "firestore.exists"): self = .exists
        case (true, "get"), (true, "exists"), (true, "getAfter"), (true, "existsAfter"): return nil
        default: self.init(rawValue: name)
        }
    }

    private static func isStorage(_ service: String) -> Bool { service == "firebase.storage" }

    /// The types of its arguments, for each form that it has.
    var forms: [[String]] {
        switch self {
        case .string: [["int"], ["float"], ["null"], ["string"], ["bool"], ["path"]]
        case .int, .float: [["int"], ["float"], ["string"]]
        case .path: [["string"]]
        case .debug: [["any"]]
        case .get, .exists, .getAfter, .existsAfter: [["path"]]
        case .mathAbs: [["int"], ["float"]]
        case .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathIsNaN, .mathIsInfinity: [["float"]]
        case .mathPow, .latlngValue: [["float", "float"]]
        case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C: [["bytes"], ["string"]]
        case .durationValue: [["int", "string"]]
        case .durationTime: [["int", "int", "int", "int"]]
        case .durationAbs: [["duration"]]
        case .timestampDate: [["int", "int", "int"]]
        case .timestampValue: [["int"], ["string"]]
        }
    }
}
