// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient

extension Replay {
    /// The discussion in `firemeter audit replay --help`.
    static let discussion = """
        Every strategy runs the log's views through the real client over real HTTP against an emulator that is started \
        for the purpose and seeded with the log's data set. The bytes are the meter's; they are checked against what the \
        client received, and against a simulation that must make the same requests.

        A strategy is what is fetched, and parts joined by '+' with their settings after ':'.
          all-images           all images of each post in the list
          thumbnails           the first in the list, the others on opening
          thumbnails:200x200   in the list a copy of the first of so many pixels,
                               as the extension Resize Images makes them
          progressive:SIZE     in the list the first bytes of the first image
                               (64KiB), which show all of a progressive JPEG
          memory:SIZE:POLICY   a cache in memory (64MiB, lru)
          disk:SIZE:POLICY:AGE one on disk that survives a relaunch (256MiB, lru)
          prefetch:SIZE        the other images of a page's posts beforehand,
                               within so many bytes
          listen               a listener on each list while the app runs: shown
                               again, the list reads what has changed
          persistence:AGE      one that continues after a restart within half an
                               hour; with AGE, younger lists come from a cache
          page:N               posts of a page (as recorded)
          concurrency:N        images loaded at a time (6)
          url-lookups          getDownloadURL for each image
          revalidate           without generations: each image asked for again
          no-joining           an image on its way is loaded again
          http2, layout-last   for times: one connection; cells wait for images

        Policies of caches: \(policies).

        A budget bounds any figure of the report's JSON by its place there, or by a short name: \(shortNames).

        Examples:
          firemeter audit replay fixtures/session.log
          firemeter audit replay session.log --strategy 'thumbnails+memory+disk:200MB:7d'
          firemeter audit replay session.log --mode simulate --strategies ours.json
          firemeter audit replay session.log --output report.html --output report.json
          firemeter audit replay session.log --budget budget.json --output junit.xml
          firemeter audit replay fixtures/session.log --seed ~/Pictures/feed
          firemeter audit replay session.log --emulator 127.0.0.1:4000
          firemeter audit replay session.log --data my-data
        """

    private static let policies = CachePolicyChoice.all.map(\.name).joined(separator: ", ")
    private static let shortNames = Budget.shortNames.joined(separator: ", ")
}
