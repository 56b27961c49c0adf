// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension CauseTally {
    /// Notes an image that was shown and had not been loaded before: it is needed, but for its share above the pixels of the
    /// place where it was shown.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of all responses.
    ///   - responseCount: The responses that brought the image, which are taken to be equally large.
    ///   - pixelWidth: The pixels of the image across; 0 where they are not known.
    ///   - isInList: Whether only a list showed it.
    ///   - display: How wide images are shown.
    ///   - object: The name of the image.
    ///   - place: Where it was loaded.
    mutating func addShown(
        _ byteCount: Int,
        responseCount: Int64 = 1,
        pixelWidth: Int,
        isInList: Bool,
        on display: DisplaySizes,
        object: String?,
        at place: Place
    ) {
        func needed(of byteCount: Int) -> Int {
            display.neededByteCount(of: byteCount, pixelWidth: pixelWidth, isInList: isInList)
        }
        // Each is rounded by itself, so that sums are those of single responses.
        let (count, rest) = byteCount.quotientAndRemainder(dividingBy: Int(max(1, responseCount)))
        let needed = needed(of: count) * Int(max(1, responseCount)) + needed(of: rest)
        add(needed, responseCount: responseCount, cause: .needed, object: object, at: place)
        guard needed < byteCount else { return }
        add(byteCount - needed, responseCount: responseCount, cause: .oversized, object: object, at: place)
    }
}
