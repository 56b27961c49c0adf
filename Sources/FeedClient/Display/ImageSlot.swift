// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// The place of one image in a cell that is reused: shows the image that was asked for last, and no other.
///
/// Asking for another image cancels the former, clears the place at once, and shows nothing of the former when it comes late. A
/// slot that is gone cancels. Keep one in each cell:
///
/// ```swift
/// slot = ImageSlot(images) { [imageView] content in imageView.image = content.image.map { UIImage(cgImage: $0.image) } }
/// slot.show(post.references(to: .thumbnail, in: bucket).first, covering: size)
/// ```
@MainActor public final class ImageSlot {
    /// The content of a slot.
    public enum Content: Sendable {
        /// Nothing: no image was asked for, or it is on its way.
        case empty
        /// The image.
        case image(DecodedImage)
        /// The image did not come.
        case failed(FeedError)

        /// The image, if there is one.
        public var image: DecodedImage? {
            guard case .image(let image) = self else { return nil }
            return image
        }
    }

    private struct Request: Equatable {
        let reference: ImageReference
        let size: PixelSize
    }

    private let images: DecodedImageCache
    private let onChange: @MainActor (Content) -> Void
    private var wanted: Request?
    private var task: Task<Void, Never>?

    /// Creates an empty slot; each change of its content is passed to `onChange`.
    public init(_ images: DecodedImageCache, onChange: @escaping @MainActor (Content) -> Void) {
        self.images = images
        self.onChange = onChange
    }

    deinit { task?.cancel() }

    /// Shows an image, at once where it is decoded already; `nil` clears.
    ///
    /// Asking for the image again that is shown or on its way changes nothing; one that failed is tried again.
    public func show(_ reference: ImageReference?, covering size: PixelSize, priority: ImagePriority = .normal) {
        guard let reference else { return clear() }
        let request = Request(reference: reference, size: size)
        guard request != wanted else { return }
        task?.cancel()
        task = nil
        wanted = request
        if let image = images.decodedImage(for: reference, covering: size) { return onChange(.image(image)) }
        onChange(.empty)
        task = Task { [weak self, images] in
            do {
                let image = try await images.image(for: reference, covering: size, priority: priority)
                self?.finish(request, with: .image(image))
            } catch let error as FeedError {
                self?.finish(request, with: .failed(error))
            } catch {
                // Cancelled: the slot shows something else by now, or is gone.
            }
        }
    }

    /// Clears the slot, as a cell does before it is reused.
    public func clear() {
        task?.cancel()
        task = nil
        wanted = nil
        onChange(.empty)
    }

    private func finish(_ request: Request, with content: Content) {
        // A former request may have ended before it heard that it was cancelled.
        guard request == wanted else { return }
        if case .failed = content { wanted = nil }
        task = nil
        onChange(content)
    }
}
