// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts where they are recorded (2026-09), else the official emulator's (1.19.9).
extension FirestoreError {
    static func invalidFieldPath(_ text: String) -> Self {
        Self(
            .invalidArgument,
            """
            Invalid property path "\(text)". Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), \
            and quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)
            """
        )
    }

    /// All that production says of a path with brackets.
    static var bracketedFieldPath: Self {
        Self(.invalidArgument, "Invalid property path")
    }

    static var fieldPathTooLong: Self {
        Self(.invalidArgument, "property path is longer than \(FieldPath.byteCountMax) bytes.")
    }

    static var emptyFieldPath: Self {
        Self(.invalidArgument, "Invalid empty property path string.")
    }

    /// Names the rest of the path, from the reserved name on.
    package static func reservedFieldPath(_ rest: FieldPath) -> Self {
        Self(.invalidArgument, "Invalid reserved name in field path \(rest)")
    }

    static var fieldPathTooDeep: Self {
        Self(.invalidArgument, "paths must have at most \(DocumentLimits.depthMax) elements")
    }

    static var fieldNameEmpty: Self {
        Self(.invalidArgument, "The property.name is the empty string.")
    }

    static var fieldNameTooLong: Self {
        Self(.invalidArgument, "The property.name is longer than \(FieldPath.segmentByteCountMax) bytes.")
    }

    static func fieldNameReserved(_ name: String) -> Self {
        Self(.invalidArgument, "field name \(name) is reserved")
    }

    static func nestedFieldNameReserved(_ name: String) -> Self {
        Self(.invalidArgument, "field name '\(name)' is reserved.")
    }

    package static func invalidNesting(in property: String) -> Self {
        Self(.invalidArgument, "Property \(property) contains an invalid nested entity.")
    }

    static func valueTooLong(of property: String) -> Self {
        Self(
            .invalidArgument,
            "The value of property \"\(property)\" is longer than \(DocumentLimits.valueByteCountMax) bytes."
        )
    }

    static var arrayInArray: Self {
        Self(.invalidArgument, "Nested arrays are not allowed")
    }

    static var vectorInArray: Self {
        Self(.invalidArgument, "Cannot convert a vector value in an array value.")
    }

    static var vectorEmpty: Self {
        Self(.invalidArgument, "Cannot have a zero length vector.")
    }

    static var vectorTooLong: Self {
        Self(.invalidArgument, "Vectors must be at most \(DocumentLimits.vectorDimensionMax) dimensions.")
    }

    static func geoPointOutOfRange(_ part: String, degrees: Double, limit: Double) -> Self {
        Self(
            .invalidArgument,
            "Geo point \(part) '\(degrees)' outside permitted range -\(limit) to \(limit)."
        )
    }

    static var timestampOutOfRange: Self {
        Self(.invalidArgument, "A timestamp must lie within the years 0001 to 9999, its nanoseconds below a second.")
    }

    package static var documentTooLarge: Self {
        Self(.invalidArgument, "maximum entity size is \(DocumentLimits.documentByteCountMax) bytes")
    }
}

// Texts of the client suites where they assert one (2026-11); production's are not recorded.
extension FirestoreError {
    static func int32OutOfRange(_ number: Int64) -> Self {
        Self(
            .invalidArgument,
            "The field '__int__' value (\(number)) is too large to be converted to a 32-bit integer."
        )
    }

    static func uint32OutOfRange(_ name: String, number: Int64) -> Self {
        Self(.invalidArgument, "The field '\(name)' value (\(number)) does not represent an unsigned 32-bit integer.")
    }

    static var decimal128Invalid: Self { Self(.invalidArgument, "Invalid decimal128 string.") }

    static var binaryWithoutSubtype: Self {
        Self(.invalidArgument, "The field '__binary__' needs a byte for the subtype.")
    }

    static var objectIDLengthInvalid: Self { Self(.invalidArgument, "Object ID hex string has incorrect length.") }

    static var objectIDInvalid: Self { Self(.invalidArgument, "Object ID must be a hex string.") }

    static func regexOptionInvalid(_ option: Character) -> Self {
        Self(
            .invalidArgument,
            "Invalid regex option '\(option)'. Supported options are 'i', 'm', 's', 'u', and 'x'."
        )
    }
}
