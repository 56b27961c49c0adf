// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A place on earth, in degrees.
package struct GeoPoint: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether latitude is within ±90 and longitude within ±180; others, and NaN, are refused when written.
    package var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }
}
