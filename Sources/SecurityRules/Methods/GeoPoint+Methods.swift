// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension GeoPoint {
    /// Metres; the mean radius by which the official emulator counts (1.19.9, 2026-11).
    private static let earthRadius = 6_371_009.0

    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        switch (method, arguments.count, arguments.first) {
        case (.latitude, 0, _): .float(latitude)
        case (.longitude, 0, _): .float(longitude)
        case (.distance, 1, .latLng(let other)): .float(distance(to: other))
        default: nil
        }
    }

    /// Along a great circle, by the haversine.
    private func distance(to other: GeoPoint) -> Double {
        let radian = Double.pi / 180
        let (from, to) = (latitude * radian, other.latitude * radian)
        let latitudeHalf = sin(0.5 * (to - from))
        let longitudeHalf = sin(0.5 * (other.longitude * radian - longitude * radian))
        let square = latitudeHalf * latitudeHalf + longitudeHalf * longitudeHalf * cos(from) * cos(to)
        return 2 * asin(min(1, square).squareRoot()) * Self.earthRadius
    }
}
