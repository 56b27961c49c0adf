// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore

/// The methods of a service by their paths.
struct MethodTable {
    enum Method {
        /// Answered by the router; one that it does not know has no type, and is refused there.
        case routed(MethodDescriptor)
        case direct(DirectMethod)
    }

    private let methods: [String: Method]

    init(routed: [MethodDescriptor], direct: [DirectMethod]) {
        let all = direct.map { ($0.descriptor, Method.direct($0)) } + routed.map { ($0, Method.routed($0)) }
        methods = Dictionary(all.map { ("/\($0.fullyQualifiedMethod)", $1) }, uniquingKeysWith: { first, _ in first })
    }

    func method(ofPath path: String) -> Method {
        if let known = methods[path] { return known }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let isWellFormed = names.count == 3 && names[0].isEmpty
        return .routed(
            MethodDescriptor(
                fullyQualifiedService: isWellFormed ? String(names[1]) : path,
                method: isWellFormed ? String(names[2]) : ""
            )
        )
    }
}
