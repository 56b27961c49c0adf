// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The places where views show something, by numbers.
struct PlaceTable: Sendable {
    /// The numbers of a place and of its screen.
    struct Place: Sendable {
        let number: Int
        let screen: Int
    }

    /// A screen; a view that shows none is named by itself.
    struct Screen: Sendable {
        let name: String
        let isShown: Bool
    }

    private enum Name: Hashable {
        case list(SessionView.Kind, SessionView.Listing, Int)
        case recordedList(String, Int)
        case other(SessionView.Kind)

        init(_ action: SessionView.Action) {
            self =
                switch action {
                case .openFeed(let listing, let page), .scroll(let listing, let page): .list(action.kind, listing, page)
                case .switchTab(let listing): .list(action.kind, listing, 0)
                case .showPosts(let shown): shown.list.map { .recordedList($0.name, $0.page) } ?? .other(action.kind)
                case .openPost, .relaunch: .other(action.kind)
                }
        }
    }

    /// The places as findings name them.
    private(set) var names: [CauseTally.Place] = []
    private(set) var screens: [Screen] = []
    private var places: [Name: Place] = [:]
    private var screenNumbers: [String: Int] = [:]

    /// The place that a view shows.
    mutating func place(of action: SessionView.Action) -> Place {
        let name = Name(action)
        if let place = places[name] { return place }
        let page = action.page
        let screen = Screen(name: action.screen ?? page, isShown: action.screen != nil)
        names.append(CauseTally.Place(page: page, screen: screen.name))
        let place = Place(number: names.count - 1, screen: number(of: screen))
        places[name] = place
        return place
    }

    private mutating func number(of screen: Screen) -> Int {
        if let number = screenNumbers[screen.name] { return number }
        screens.append(screen)
        screenNumbers[screen.name] = screens.count - 1
        return screens.count - 1
    }
}
