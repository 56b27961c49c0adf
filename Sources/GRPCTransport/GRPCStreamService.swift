// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import GRPCCore
package import NIOHPACK
package import Wire

/// Serves gRPC on the HTTP/2 streams of a Wire server.
///
///     let streams = GRPCStreamService(services: [FirestoreRPCs(store: store)])
///     // and in the WireService:
///     var streamService: (any WireStreamService)? { streams }
///
/// Register methods with their type (`MethodDescriptor(…, type: .unary)`): the answer of a method that is known to have
/// one message goes out in one write. Handlers run on threads that may block. Small calls are cheapest as
/// ``DirectMethod``s.
package final class GRPCStreamService: WireStreamService {
    private let calls: GRPCCalls
    private let server: GRPCServer<WireServerTransport>

    /// Creates a service of the methods of a router.
    ///
    /// - Parameters:
    ///   - router: The methods and their handlers.
    ///   - directMethods: Methods that are answered without the router, and before it.
    ///   - limits: What a client may send.
    ///   - executor: Where handlers run.
    package init(
        router: RPCRouter<WireServerTransport>,
        directMethods: [DirectMethod] = [],
        limits: GRPCLimits = GRPCLimits(),
        executor: BlockingExecutor = .shared
    ) {
        let transport = WireServerTransport()
        calls = GRPCCalls(
            limits: limits,
            methods: MethodTable(routed: router.methods, direct: directMethods),
            transport: transport,
            executor: executor
        )
        server = GRPCServer(transport: transport, router: router)
    }

    /// Creates a service of the methods of services.
    package convenience init(
        services: [any RegistrableRPCService],
        interceptors: [any ServerInterceptor] = [],
        directMethods: [DirectMethod] = [],
        limits: GRPCLimits = GRPCLimits(),
        executor: BlockingExecutor = .shared
    ) {
        var router = RPCRouter<WireServerTransport>()
        for service in services { service.registerMethods(with: &router) }
        router.registerInterceptors(pipeline: interceptors.map { .apply($0, to: .all) })
        self.init(router: router, directMethods: directMethods, limits: limits, executor: executor)
    }

    package var executor: BlockingExecutor { calls.executor }

    package func open(_ stream: WireStream, head: HPACKHeaders) -> (any WireStreamHandler)? {
        // The length alone distinguishes most names, quicker than comparing them would.
        let isGRPC = head.contains { name, value, _ in
            name.utf8.count == 12 && name == "content-type" && value.hasPrefix("application/grpc")
        }
        return isGRPC ? GRPCStreamHandler(wire: stream, calls: calls) : nil
    }

    package func run() async throws {
        try await server.serve()
        // The connections are gone, so that no event loop answers a call any more, and the calls on threads are
        // cancelled; what they use must outlive them.
        await calls.running.finished()
    }
}
