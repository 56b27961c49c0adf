// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// The functions of the Functions emulator that Firemeter calls by itself.
package struct FoundFunctions: Sendable, Equatable {
    /// The names of those that changes of documents run.
    package var ofDocuments: [String] = []
    /// Those that decide on sign-ins, in the form of Identity Platform's `blockingFunctions`.
    package var deciding: JSONValue?
    /// Why functions are not called.
    package var refusals: [String] = []
    /// The project of the functions, where it is not the one that is served.
    var foreignProject: String?
    var triggers: [DocumentTrigger] = []

    /// How many functions are named that are not called.
    private static let refusalCountMax = 20

    /// None at all.
    static let none = Self()

    init() {}

    /// Chooses the functions of a listing that are of the project.
    init(_ functions: [ListedFunction], _ keys: FunctionKeys, at address: FunctionsAddress, project: String) {
        foreignProject = functions.lazy.compactMap(\.project).first.flatMap { $0 == project ? nil : $0 }
        if let foreignProject {
            refusals = ["its functions are of the project \(foreignProject), not of \(project): none is called"]
            return
        }
        deciding = DecidingFunctions.settings(of: functions, at: address, project: project)
        // A function that was loaded again is listed as often.
        var seen: Set<String> = []
        for function in functions.reversed() where function.isOfDocuments && seen.insert(function.id).inserted {
            do throws(TriggerFailure) {
                triggers.append(try function.trigger(key: keys.key(of: function.id), project: project))
                ofDocuments.append(function.name)
            } catch {
                refuse(function, error)
            }
        }
        triggers.reverse()
        ofDocuments.reverse()
    }

    private mutating func refuse(_ function: ListedFunction, _ failure: TriggerFailure) {
        switch refusals.count {
        case ..<Self.refusalCountMax: refusals.append("the function \(function.name) is not called: \(failure.message)")
        case Self.refusalCountMax: refusals.append("further functions are not called, either")
        default: break
        }
    }
}

extension FoundFunctions {
    /// The functions by name, for one line; `nil` where there are none.
    package var summary: String? {
        let kinds = [
            ofDocuments.isEmpty ? nil : "changes of documents run \(ofDocuments.joined(separator: ", "))",
            deciding == nil ? nil : "sign-ins ask \(decidingNames.joined(separator: ", "))",
        ]
        let parts = kinds.compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private var decidingNames: [String] {
        guard case .object(let triggers)? = deciding?["triggers"] else { return [] }
        return triggers.keys.sorted()
    }
}
