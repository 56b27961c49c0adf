// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
package import Wire

/// Answers `/console/faults` and `/console/network`: the conditions under which an app is tried.
package struct ConditionsEndpoint: Sendable {
    private static let bodyByteCountMax = 64 << 10

    let faults: PlannedFaults
    let link: NetworkLink

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - faults: The calls that are to fail.
    ///   - link: The link of clients.
    package init(faults: PlannedFaults, link: NetworkLink) {
        (self.faults, self.link) = (faults, link)
    }

    /// Answers a call; `nil` for another path or method.
    func answer(_ request: Request, at path: Substring) async throws -> Response? {
        switch (request.method, path) {
        case (.get, "faults"): break
        case (.put, "faults"): faults.replace(with: try await Self.body(FaultsRequest.self, of: request).planned())
        case (.get, "network"): break
        case (.put, "network"): link.change(to: try await Self.body(NetworkRequest.self, of: request).conditions())
        default: return nil
        }
        let json =
            path == "faults" ? JSONText.object([("faults", .array(faults.all.map(\.json)))]) : link.conditions.json
        var answer = Response.json(json, isIndented: false)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private static func body<Body: Decodable>(_ type: Body.Type, of request: Request) async throws -> Body {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        guard let body = try? await request.wholeBody(upTo: bodyByteCountMax, in: memory) else {
            throw ConsoleFailure(status: 400, message: "The body must be JSON of at most 64 KiB.")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw ConsoleFailure(status: 400, message: "The body is not of this form: \(error.place)")
        }
    }
}

extension DecodingError {
    /// The member that is missing or of another kind.
    fileprivate var place: String {
        let (path, complaint) =
            switch self {
            case .typeMismatch(let type, let context): (context.codingPath, "must be of type \(type)")
            case .valueNotFound(let type, let context): (context.codingPath, "must be of type \(type)")
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .dataCorrupted(let context): (context.codingPath, "cannot be read")
            @unknown default: ([] as [any CodingKey], "cannot be read")
            }
        return "\(path.isEmpty ? "it" : "'\(path.path)'") \(complaint)."
    }
}
