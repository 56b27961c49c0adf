// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Makes the parts of a plan, and collects what to say about them.
///
/// Source of the decisions and texts: firebase-tools 15.28.1, `src/emulator/controller.ts` and `commandUtils.ts`.
struct SuitePlanner {
    let configuration: SuiteConfiguration
    let resources: ProjectResources
    let project: SuiteProject
    let only: OnlyList?
    private let request: SuiteRequest
    var notices: [SuiteNotice] = []

    /// Reads the files of the project and chooses the project.
    init(_ request: SuiteRequest) throws(SuiteConfigurationError) {
        self.request = request
        only = try OnlyList(request.only)
        configuration = try Self.configuration(for: request, only)
        resources = ProjectResources(in: configuration.directory)
        let active = ActiveProjects(environment: request.environment)
        project = try SuiteProject(
            option: request.project,
            active: active.project(of: configuration.directory),
            deprecated: configuration.deprecatedProject,
            aliases: resources.projects
        )
        notices = configuration.notices + [resources.notice, active.notice].compactMap(\.self)
    }

    private static func configuration(
        for request: SuiteRequest,
        _ only: OnlyList?
    ) throws(SuiteConfigurationError) -> SuiteConfiguration {
        if let configuration = try SuiteConfiguration(for: request) { return configuration }
        // Hosting needs settings that have no defaults.
        guard let only, !only.services.contains(.hosting) else {
            throw SuiteConfigurationError(
                code: .notInProject,
                description: "Not in a Firebase app directory (could not locate firebase.json)"
            )
        }
        return SuiteConfiguration(defaultsIn: FileTree.absolute(request.workingDirectory, from: "/"))
    }

    /// Whether the web interface starts; every emulator that is served here has pages in it.
    var startsInterface: Bool {
        switch request.interface {
        case .always: true
        case .never: false
        case .asConfigured: configuration.setting("ui")?["enabled"] != .bool(false)
        }
    }

    /// Whether the log's WebSocket starts, which the web interface needs.
    var startsLogging: Bool { startsInterface || request.environment["START_LOGGING_EMULATOR"] == "true" }

    /// The address of an emulator.
    func address(of service: SuiteService) throws(SuiteConfigurationError) -> ConfiguredAddress {
        try ConfiguredAddress(service, in: configuration.setting(service.rawValue))
    }

    /// The addresses of emulators.
    func addresses(of services: [SuiteService]) throws(SuiteConfigurationError) -> [ConfiguredAddress] {
        var addresses: [ConfiguredAddress] = []
        for service in services { addresses.append(try address(of: service)) }
        return addresses
    }

    /// The addresses of emulators that others serve: one that cannot be used is warned of.
    mutating func lenientAddresses(of services: [SuiteService]) -> [ConfiguredAddress] {
        var addresses: [ConfiguredAddress] = []
        for service in services {
            do throws(SuiteConfigurationError) {
                addresses.append(try address(of: service))
            } catch {
                notices.append(.warning("\(error)", about: service))
                addresses.append(ConfiguredAddress(defaultOf: service))
            }
        }
        return addresses
    }
}
