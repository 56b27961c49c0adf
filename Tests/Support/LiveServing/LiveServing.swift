// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Serves on a free port while a body runs, and hands it the port and the records of what is served.
package func serving<Result: Sendable>(
    _ service: any WireService,
    lingering: LingeringLimits = LingeringLimits(),
    _ body: @Sendable @escaping (_ port: UInt16, _ records: RecordCollector) async throws -> Result
) async throws -> Result {
    let records = RecordCollector()
    let deliveries = DeliveryWatch()
    let audit = KernelAudit()
    let (ports, announce) = AsyncStream.makeStream(of: Int.self)
    let server = WireServer(
        host: "127.0.0.1",
        port: 0,
        service: service,
        sink: records,
        deliveries: deliveries,
        audit: audit,
        lingering: lingering,
        now: { 0 },
        onReady: { announce.yield($0) }
    )
    let result = try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask {
            try await server.run()
            return nil
        }
        group.addTask {
            for await port in ports { return try await body(UInt16(port), records) }
            return nil
        }
        defer { group.cancelAll() }
        guard let result = try await group.next().flatMap(\.self) else { throw ServerEnded() }
        return result
    }
    await deliveries.settle()
    if audit.sums.difference != 0 { throw MeterDisagreement(sums: audit.sums) }
    return result
}

/// The records of a connection are not what the kernel counted on its socket.
private struct MeterDisagreement: Error {
    let sums: KernelAudit.Sums
}

/// The server stopped before the body was done.
private struct ServerEnded: Error {}
