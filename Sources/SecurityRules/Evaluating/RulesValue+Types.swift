// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesValue {
    /// `self is type`, for a value that is not a failure.
    func isOf(_ type: TypeName) -> Bool {
        switch (self, type) {
        case (.boolean, .bool), (.bytes, .bytes), (.constraint, .constraint), (.duration, .duration), (.float, .float),
            (.float, .number),
            (.integer, .int), (.integer, .number), (.latLng, .latlng), (.list, .list), (.map, .map),
            (.mapDiff, .mapDiff), (.path, .path), (.string, .string), (.timestamp, .timestamp), (.vector, .vector):
            true
        // The official emulator says no of a set.
        default: false
        }
    }
}
