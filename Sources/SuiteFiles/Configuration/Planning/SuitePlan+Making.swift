// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SuitePlan {
    /// Makes a plan.
    ///
    /// Reads files and changes nothing.
    ///
    /// - Parameter request: The circumstances of the start.
    /// - Throws: `SuiteConfigurationError`.
    package init(_ request: SuiteRequest) throws(SuiteConfigurationError) {
        var planner = try SuitePlanner(request)
        try self.init(&planner)
    }

    private init(_ planner: inout SuitePlanner) throws(SuiteConfigurationError) {
        let chosen = try planner.chosenServices()
        directory = planner.configuration.directory
        project = planner.project
        served = try planner.addresses(of: chosen.filter(\.isServed))
        unserved = planner.lenientAddresses(of: chosen.filter { !$0.isServed })
        hub = try planner.address(of: .hub)
        ui = planner.startsInterface ? try planner.address(of: .ui) : nil
        logging = planner.startsLogging ? try planner.address(of: .logging) : nil
        firestore = chosen.contains(.firestore) ? try planner.firestore() : nil
        storage = chosen.contains(.storage) ? try planner.storageRules() : nil
        isSingleProject = planner.configuration.setting("singleProjectMode")?.isTruthy ?? true
        notices = planner.notices
    }
}
