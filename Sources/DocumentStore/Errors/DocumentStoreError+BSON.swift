// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Texts of the client suites where they assert one (2026-11); production's are not recorded.
extension DocumentStoreError {
    static func int32OutOfRange(_ number: Int64) -> Self {
        Self(
            .invalidArgument,
            "The field '__int__' value (\(number)) is too large to be converted to a 32-bit integer."
        )
    }

    static func uint32OutOfRange(_ name: String, _ number: Int64) -> Self {
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
