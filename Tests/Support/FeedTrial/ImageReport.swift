// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging

/// All that Imaging says of a file, or the error that it throws.
struct ImageReport: Encodable {
    /// The longest side of the copy.
    private static let copySide = 16

    let path: String
    private(set) var format: String?
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var isWhole: Bool?
    private(set) var color: String?
    private(set) var reducedColor: String?
    private(set) var placeholder: String?
    /// A copy that fits into a square of 16 pixels, in hexadecimal.
    private(set) var copy: String?
    private(set) var copyWidth: Int?
    private(set) var error: String?
    /// The time of the slowest call.
    private(set) var milliseconds = 0.0

    init(of bytes: [UInt8], path: String) {
        self.path = path
        do throws(ImagingError) { try look(at: bytes) } catch { self.error = error.message }
    }

    private mutating func look(at bytes: [UInt8]) throws(ImagingError) {
        let info = try timed { () throws(ImagingError) in try ImageInspector.inspect(bytes) }
        (format, width, height) = (info.format.rawValue, info.uprightWidth, info.uprightHeight)
        isWhole = try timed { (try? ImageInspector.verify(bytes)) != nil }
        color = try timed { () throws(ImagingError) in try RGBColor.dominant(ofEncoded: bytes).description }
        reducedColor = try timed { () throws(ImagingError) in
            try RGBColor.dominant(ofEncoded: bytes, sampling: .reducedSize).description
        }
        placeholder = try timed { () throws(ImagingError) in try BlurHash(ofEncoded: bytes).description }
        let pixels = try timed { () throws(ImagingError) in
            try ResizedImage.jpeg(of: bytes, fitting: Self.copySide, by: Self.copySide).pixels
        }
        copy = pixels.bytes.map { String(format: "%02x", $0) }.joined()
        copyWidth = pixels.width
    }

    private mutating func timed<Result>(
        _ call: () throws(ImagingError) -> Result
    ) throws(ImagingError) -> Result {
        let start = ContinuousClock.now
        defer { milliseconds = max(milliseconds, (ContinuousClock.now - start) / .milliseconds(1)).rounded() }
        return try call()
    }
}
