// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import UnixSignals

/// Work that is done while services run: it ends them, and a failing service or a signal ends it.
struct Workplace: Sendable {
    /// After this, requests still in flight at shutdown are cut off.
    ///
    /// It leaves time to end within the ten seconds after which Docker and others kill what they stop.
    static let shutdownGracePeriod = Duration.seconds(8)

    /// Signals that cancel the work; the services finish what is in flight.
    let signals: [UnixSignal]
    var services: [any Service] = []
    /// Hears the signals, too.
    var watch: EndSignals?

    /// Returns what the work returned; throws ``EmulatorError/stopped`` when a signal came first.
    func run<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let work = Work { [watch] in
            // One that came before the group heard signals.
            try watch?.requireNone()
            return try await work()
        }
        var logger = Logger(label: "firemeter")
        logger.logLevel = .critical
        var group = ServiceGroupConfiguration(
            services: services.map { .init($0, failureTerminationBehavior: .gracefullyShutdownGroup) }
                + [.init(work, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: signals,
            logger: logger
        )
        group.maximumGracefulShutdownDuration = Self.shutdownGracePeriod
        watch?.begin()
        try await ServiceGroup(configuration: group).run()
        do {
            guard let outcome = work.outcome.withLockedValue({ $0 }) else { throw CancellationError() }
            return try outcome.get()
        } catch is CancellationError where !Task.isCancelled {
            throw EmulatorError.stopped
        }
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// Names a service by its type; the library's own way prints all that is in it, a third of the time to ready.
    fileprivate init(
        _ service: any Service,
        successTerminationBehavior: TerminationBehavior = .cancelGroup,
        failureTerminationBehavior: TerminationBehavior = .cancelGroup
    ) {
        self.init(
            service: service,
            successTerminationBehavior: successTerminationBehavior,
            failureTerminationBehavior: failureTerminationBehavior,
            serviceName: "\(type(of: service))"
        )
    }
}

private struct Work<Result: Sendable>: Service {
    let body: @Sendable () async throws -> Result
    let outcome = NIOLockedValueBox<Swift.Result<Result, any Error>?>(nil)

    /// Keeps the error too, and throws none: the services are to finish what is in flight all the same.
    func run() async throws {
        let ended: Swift.Result<Result, any Error>
        do {
            ended = .success(try await cancelWhenGracefulShutdown { try await body() })
        } catch {
            ended = .failure(error)
        }
        outcome.withLockedValue { $0 = ended }
    }
}
