// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The views of one user of a log, in its order.
package struct UserViews: Sendable, Hashable {
    /// A view, and its number in the log, counted from 1.
    package struct Numbered: Sendable, Hashable {
        package let number: Int
        package let view: SessionView

        /// Numbers a view.
        package init(number: Int, view: SessionView) { (self.number, self.view) = (number, view) }
    }

    /// The user.
    package let client: String
    /// The views.
    package private(set) var views: [Numbered]

    /// Creates the views of a user.
    package init(client: String, views: [Numbered]) { (self.client, self.views) = (client, views) }
}

extension UserViews {
    /// Views by their users, who are in the order of their first ones.
    package static func users(of views: [SessionView]) -> [UserViews] {
        var users: [UserViews] = []
        var places: [String: Int] = [:]
        for (index, view) in views.enumerated() {
            let place = places[view.client] ?? users.count
            if place == users.count {
                places[view.client] = place
                users.append(UserViews(client: view.client, views: []))
            }
            users[place].views.append(Numbered(number: index + 1, view: view))
        }
        return users
    }
}
