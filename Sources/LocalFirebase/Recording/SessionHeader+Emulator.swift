// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
package import SessionLog

extension SessionHeader {
    /// The first line of the log that an emulator of this configuration begins to record.
    ///
    /// Other writers of the same log pass this header too, so that it does not matter who comes first.
    package init(recordedBy configuration: EmulatorConfiguration) throws(EmulatorError) {
        self.init(recordedBy: configuration, dataSet: try FeedDataSet(seedOf: configuration))
    }

    /// The counts for a data set that is loaded already.
    init(recordedBy configuration: EmulatorConfiguration, dataSet seeded: FeedDataSet?) {
        self.init(createdAt: LogTime(microseconds: configuration.now()))
        pageSize = configuration.recordedPageSize
        guard let seeded, let seedPath = configuration.seedPath else { return }
        dataSet = configuration.recordPath.map { RelativePath.from($0, to: seedPath) }
        feed = Feed(
            project: seeded.project,
            database: seeded.database,
            collection: seeded.collection,
            bucket: seeded.bucket
        )
    }
}

extension FeedDataSet {
    /// Loads the data set that a configuration names; `nil` when it names none.
    init?(seedOf configuration: EmulatorConfiguration) throws(EmulatorError) {
        guard let path = configuration.seedPath else { return nil }
        do {
            self = try FeedDataSet.load(path)
        } catch {
            throw .badSeed(error)
        }
    }
}
