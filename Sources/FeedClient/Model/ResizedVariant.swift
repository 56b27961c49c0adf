// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A smaller copy of an image that its server keeps beside it, as the Firebase extension Resize Images makes them (0.3.3,
/// 2026-04).
public struct ResizedVariant: Sendable, Hashable {
    /// The greatest width in pixels.
    public let pixelWidth: Int
    /// The greatest height in pixels.
    public let pixelHeight: Int

    /// Creates the variant of images that fit into a number of pixels, both at least 1.
    public init(pixelWidth: Int, pixelHeight: Int) {
        precondition(pixelWidth > 0 && pixelHeight > 0, "an image has pixels (not \(pixelWidth)x\(pixelHeight))")
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
    }

    /// The suffix of a name: `200x200`.
    package var name: String { "\(pixelWidth)x\(pixelHeight)" }

    /// The name of an object's copy: of `a/b/0` it is `a/b/0_200x200`, of `a/b.jpg` it is `a/b_200x200.jpg`.
    func objectName(of original: String) -> String {
        let file = original.lastIndex(of: "/").map { original[$0...] } ?? original[...]
        guard let dot = file.lastIndex(of: ".") else { return "\(original)_\(name)" }
        return "\(original[..<dot])_\(name)\(original[dot...])"
    }

    /// The original of which a name is that of a copy, and the copy's size; `nil` for any other name.
    package static func original(ofCopy name: String) -> (name: String, variant: ResizedVariant)? {
        guard let match = name.wholeMatch(of: /(.+)_([1-9][0-9]{0,5})x([1-9][0-9]{0,5})(\.[^.\/]*)?/),
            let width = Int(match.2), let height = Int(match.3)
        else { return nil }
        return ("\(match.1)\(match.4 ?? "")", ResizedVariant(pixelWidth: width, pixelHeight: height))
    }

    /// How wide the copy of an image is in pixels; images that fit already keep their size.
    package func fittedWidth(pixelWidth: Int, pixelHeight: Int) -> Int {
        guard pixelWidth > 0, pixelHeight > 0 else { return self.pixelWidth }
        let byHeight = (2 * pixelWidth * self.pixelHeight + pixelHeight) / (2 * pixelHeight)
        return min(pixelWidth, self.pixelWidth, max(1, byHeight))
    }
}

extension ImageReference {
    /// The image as its server's smaller copy of it; an image that is not an object has none.
    ///
    /// The copy bears the generation of its original, which the post's document has: when that changes, the copy has, too. Its
    /// own generation, token and size are not known.
    public func resized(to variant: ResizedVariant) -> ImageReference {
        guard case .object(let bucket, let name) = location else { return self }
        var copy = ImageReference(
            .object(bucket: bucket, name: variant.objectName(of: name)),
            role: role,
            generation: generation
        )
        copy.isCopy = true
        return copy
    }
}
