// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient

extension Replay {
    /// The discussion in `audit replay --help`.
    static let discussion = """
        Every strategy runs the log's views through the real client over real HTTP against an emulator that is started \
        for the purpose and seeded with the log's data set. The bytes are the meter's; they are checked against what the \
        client received, and against a simulation that must make the same requests.

        A strategy is what is fetched, and parts joined by '+' with their settings after ':'.
          all-images, thumbnails       all images of each post in the list, or the first and the others on opening
          thumbnails:200x200           in the list a copy of the first that fits so many pixels, as the extension Resize
                                       Images makes them; the first itself on opening, too
          progressive:SIZE             in the list the first bytes of the first image (64KiB), which show all of a progressive
                                       JPEG, though coarsely; its rest and the others on opening
          memory:SIZE:POLICY           a cache in memory (64MiB, lru); policies: \(policies)
          disk:SIZE:POLICY:AGE         a cache on disk that survives a relaunch (256MiB, lru, kept for ever)
          prefetch:SIZE                the other images of each page's posts beforehand, within so many bytes
          page:N, concurrency:N        posts of a page (as recorded), images loaded at a time (6)
          url-lookups                  getDownloadURL for each image, whose address the document does not tell
          revalidate                   no generation in the document: each image is held against its server
          no-joining                   an image on its way is loaded again
          http2, layout-last           for times only: one connection; cells wait for their images

        A budget bounds any figure of the report's JSON by its place there, or by a short name: \(shortNames).

        Examples:
          audit replay fixtures/session.log
          audit replay session.log --strategy all-images --strategy 'thumbnails+memory:50MB:sieve+disk:200MB:7d'
          audit replay session.log --mode simulate --strategies ours.json
          audit replay session.log --output report.html --output report.json
          audit replay session.log --budget budget.json --compare-to report.json --output comment.md --output junit.xml
          audit replay fixtures/session.log --seed ~/Pictures/feed
          audit replay session.log --emulator 127.0.0.1:4000
        """

    private static let policies = CachePolicyChoice.all.map(\.name).joined(separator: ", ")
    private static let shortNames = Budget.shortNames.joined(separator: ", ")
}
