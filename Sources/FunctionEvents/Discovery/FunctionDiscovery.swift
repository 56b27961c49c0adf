// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Finds the functions of the Functions emulator that changes of documents run, or that decide on sign-ins.
///
/// firebase-tools registers them only with emulators that it has started itself; but it lists them for its user interface,
/// and takes calls of all.
package struct FunctionDiscovery: Sendable {
    /// How often it looks while functions are being loaded, so that none misses the first change.
    ///
    /// A script that firebase-tools starts once they are loaded makes its first change at the earliest 60 ms later.
    static let quickPause = Duration.milliseconds(25)
    /// How often it looks otherwise: how long a function that was changed remains as it was.
    static let pause = Duration.seconds(1)
    /// For how many looks more functions are expected soon: ten seconds.
    static let quickCount = 400
    /// For how many looks the first function is expected soon: two minutes, in which compilers end.
    static let quickCountOfNone = 4_800
    /// After how many calls without a connection the Functions emulator is taken as ended.
    static let missedCountMax = 2

    private let events: FunctionEvents
    private let address: FunctionsAddress
    private let project: String
    private let caller: any FunctionsCalling
    private let onReached: @Sendable () -> Void
    private let onChange: @Sendable (FoundFunctions) -> Void

    /// Creates a finder; `nil` where there is no Functions emulator, or no project.
    ///
    /// - Parameters:
    ///   - events: Sends events to the functions; its destinations name the Functions emulator.
    ///   - caller: Asks the Functions emulator.
    ///   - onReached: Called whenever the Functions emulator is there, and was not before.
    ///   - onChange: Receives the functions, whenever they have changed.
    package init?(
        for events: FunctionEvents,
        caller: any FunctionsCalling = HTTPFunctionsCaller(),
        onReached: @escaping @Sendable () -> Void = {},
        onChange: @escaping @Sendable (FoundFunctions) -> Void
    ) {
        guard let address = events.destinations.functions, let project = events.destinations.functionsProject else {
            return nil
        }
        (self.events, self.address, self.project) = (events, address, project)
        (self.caller, self.onReached, self.onChange) = (caller, onReached, onChange)
    }

    /// Looks for functions until the task is cancelled.
    package func run() async {
        var progress = Progress()
        repeat {
            await look(&progress)
        } while (try? await events.clock.sleep(progress.pause)) != nil
    }

    /// The outcome of earlier looks.
    private struct Progress {
        /// The listing that was read last; `nil` where there is none, or not all of it is known.
        var listing: [UInt8]?
        var found = FoundFunctions.none
        var isReached = false
        var missedCount = 0
        var unchangedCount = 0

        var pause: Duration {
            let count = found == .none ? quickCountOfNone : quickCount
            return isReached && unchangedCount < count ? quickPause : FunctionDiscovery.pause
        }
    }

    private func look(_ progress: inout Progress) async {
        do {
            let answer = try await caller.call("GET", address.listing)
            progress.missedCount = 0
            progress.unchangedCount += 1
            guard answer.body != progress.listing else { return }
            guard answer.status == 200, let json = try? JSONValue(parsing: answer.body),
                let functions = ListedFunction.all(in: json)
            else {
                progress.listing = nil
                return use(.none, &progress)
            }
            if !progress.isReached { onReached() }
            progress.isReached = true
            let keys = await keys(of: functions)
            progress.listing = keys == nil ? nil : answer.body
            use(FoundFunctions(functions, keys ?? .first, at: address, project: project), &progress)
        } catch .timedOut {
            // It is there, and busy.
            progress.missedCount = 0
        } catch {
            progress.missedCount += 1
            guard progress.missedCount == Self.missedCountMax else { return }
            (progress.listing, progress.isReached) = (nil, false)
            use(.none, &progress)
        }
    }

    /// The keys; `nil` if there is no answer now.
    private func keys(of functions: [ListedFunction]) async -> FunctionKeys? {
        guard functions.contains(where: \.isOfDocuments) else { return .first }
        let url = address.trigger(FunctionKeys.unknownFunction, project: project)
        guard let answer = try? await caller.call("POST", url) else { return nil }
        return FunctionKeys(answer: answer.body, ids: Set(functions.map(\.id))) ?? .first
    }

    private func use(_ found: FoundFunctions, _ progress: inout Progress) {
        guard found != progress.found else { return }
        progress.unchangedCount = 0
        progress.found = found
        events.use(found, project: project)
        onChange(found)
    }
}
