// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecurityRules
import Testing

@testable import LocalFirebase

@Suite struct `Stacks of threads` {
    @Test func `have room for the deepest rules that are allowed`() async throws {
        try MemoryLimit.prepare()
        let condition = String(repeating: "(", count: 98) + "true" + String(repeating: ")", count: 98)
        let rules = """
            service cloud.firestore { match /databases/{database}/documents {
              match /c/{id} { allow read: if \(condition); }
            } }
            """
        let isCompiled = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let compiled = try? CompiledRules(rules, service: "cloud.firestore")
                continuation.resume(returning: compiled != nil)
            }
        }
        #expect(isCompiled)
    }
}
