// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// A user's way through the feed: what a screen calls for each view, and what an audit replays.
///
/// Every method returns when the images of its view have come or failed; until then each image is handed to
/// `onImage` as it comes. An image that fails is counted and does not end the view.
///
/// |view|documents|images in `.allImages`|images in `.thumbnails`|
/// |---|---|---|---|
/// |``openFeed(_:page:)``|a page, by offset|all of every post|image 0 of every post|
/// |``scroll(to:)``|a page, from the cursor|all of every post|image 0 of every post|
/// |``switchTab(to:)``|the first page|all of every post|image 0 of every post|
/// |``openPost(owner:id:)``|none|none|all but image 0|
/// |``relaunch()``|none|none|none|
///
/// Where the list loads smaller copies or prefixes of image 0 (``thumbnails``), an opened post loads image 0, too.
public actor FeedSession {
    /// Takes an image to the screen.
    public typealias ImageHandler = @Sendable (LoadedImage) async -> Void

    /// Which images the list loads.
    public let mode: FeedMode
    /// The part of image 0 that the list loads in `.thumbnails`.
    public let thumbnails: ThumbnailForm
    /// The posts of one page.
    public let pageSize: Int
    let repository: FeedRepository
    let pipeline: ImagePipeline
    let recorder: ViewRecorder?
    let onImage: ImageHandler
    let loading: FeedLoading
    var lists: [SessionView.Listing: FeedList] = [:]
    /// The posts of all pages that were loaded since the app was started, as they came last.
    var posts: [String: FeedPost] = [:]
    private var shown: SessionView.Listing?
    private var lastListID = 0

    /// Creates a session with nothing shown.
    ///
    /// A post whose smaller copy its server does not have, or not yet, is shown without its thumbnail.
    public init(
        repository: FeedRepository,
        pipeline: ImagePipeline,
        mode: FeedMode,
        pageSize: Int,
        thumbnails: ThumbnailForm = .whole,
        recorder: ViewRecorder? = nil,
        onImage: @escaping ImageHandler = { _ in }
    ) {
        self.init(
            repository: repository,
            pipeline: pipeline,
            mode: mode,
            thumbnails: thumbnails,
            pageSize: pageSize,
            loading: FeedLoading(),
            recorder: recorder,
            onImage: onImage
        )
    }

    /// Creates a session that asks for its images in another way.
    package init(
        repository: FeedRepository,
        pipeline: ImagePipeline,
        mode: FeedMode,
        thumbnails: ThumbnailForm,
        pageSize: Int,
        loading: FeedLoading,
        recorder: ViewRecorder? = nil,
        onImage: @escaping ImageHandler = { _ in }
    ) {
        let pageSizeMax = FeedRepository.pageSizeMax
        precondition((1...pageSizeMax).contains(pageSize), "a page has 1 to \(pageSizeMax) posts (not \(pageSize))")
        self.repository = repository
        self.pipeline = pipeline
        self.mode = mode
        self.thumbnails = thumbnails
        self.pageSize = pageSize
        self.recorder = recorder
        self.onImage = onImage
        self.loading = loading
    }

    /// Shows a tab from one of its pages on; what the tab had loaded before is forgotten.
    @discardableResult
    public func openFeed(_ sort: FeedSort, page: Int = 0) async throws -> FeedScreen {
        try await openFeed(listing(sort), page: page)
    }

    /// Goes to a tab and shows its first page, whose documents and images are fetched again; caches may answer.
    @discardableResult
    public func switchTab(to sort: FeedSort) async throws -> FeedScreen {
        try await switchTab(to: listing(sort))
    }

    /// Shows a further page of the tab: from the cursor when the page before it is loaded, else by an offset.
    ///
    /// Throws ``FeedError/Code/feedNotOpen`` when no tab is shown.
    @discardableResult
    public func scroll(to page: Int) async throws -> FeedScreen {
        guard let shown else { throw FeedError.feedNotOpen("scroll") }
        return try await scroll(shown, to: page)
    }

    /// Opens a post of a page that was loaded, in whichever list, since the app was started.
    ///
    /// In `.allImages` the list has loaded its images already and nothing is requested, even when the caches have
    /// dropped them since. Throws ``FeedError/Code/postNotLoaded`` for any other post.
    @discardableResult
    public func openPost(owner: String, id: String) async throws -> FeedScreen {
        guard let post = posts[id], post.ownerID == owner else { throw FeedError.postNotLoaded(owner: owner, id: id) }
        recorder?.record(.openPost(owner: owner, post: id))
        guard let wanted = mode.opened(thumbnails) else { return FeedScreen(posts: [post]) }
        return try await load(wanted, of: [post])
    }

    /// Starts again as after quitting the app: nothing is shown or in memory, the disk cache stays.
    public func relaunch() async {
        recorder?.record(.relaunch)
        lists = [:]
        posts = [:]
        shown = nil
        await pipeline.removeMemory()
    }

    private func listing(_ sort: FeedSort) -> SessionView.Listing {
        SessionView.Listing(sort: sort.logged, pageSize: pageSize)
    }

    func makeList(_ listing: SessionView.Listing) -> FeedList {
        lastListID += 1
        let list = FeedList(id: lastListID)
        lists[listing] = list
        shown = listing
        return list
    }
}
