// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How long a view took from the user's touch on, in nanoseconds.
package struct ViewTime: Sendable, Hashable {
    /// Until its cells were laid out; `nil` for a view that lays none out.
    package let layout: Int64?
    /// Until its first image was there; `nil` for a view without images.
    package let firstImage: Int64?
    /// Until all was there.
    package let complete: Int64

    /// The time of a view that continues with another step when this one is complete.
    func followed(by other: ViewTime?) -> ViewTime {
        guard let other else { return self }
        return ViewTime(
            layout: layout ?? other.layout.map { complete + $0 },
            firstImage: firstImage ?? other.firstImage.map { complete + $0 },
            complete: complete + other.complete
        )
    }
}

/// How long the views of a session took.
package struct ViewTimes: Sendable, Hashable, Codable {
    /// Until cells were laid out, of the views of lists.
    package private(set) var layout = TimeHistogram()
    /// Until the first image was there, of the views with images.
    package private(set) var firstImage = TimeHistogram()
    /// Until all was there, of all views that showed something new.
    package private(set) var complete = TimeHistogram()

    /// Creates times of no views.
    package init() {}

    mutating func add(_ time: ViewTime?) {
        guard let time else { return }
        if let layout = time.layout { self.layout.add(layout) }
        if let firstImage = time.firstImage { self.firstImage.add(firstImage) }
        complete.add(time.complete)
    }

    mutating func add(_ other: ViewTimes) {
        layout.add(other.layout)
        firstImage.add(other.firstImage)
        complete.add(other.complete)
    }
}
