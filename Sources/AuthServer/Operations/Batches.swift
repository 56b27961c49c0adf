// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// The most users that a page, or a call to delete, has (Identity Toolkit v1, 2026-11).
    private static let batchCountMax = 1_000

    /// `accounts:batchDelete`.
    func batchDelete() throws -> JSONText {
        let ids = try body.texts("localIds")
        try require((1...Self.batchCountMax).contains(ids.count), "LOCAL_ID_LIST_EXCEEDS_LIMIT")
        let isForced = try body.isTrue("force")
        let errors = try context.store.deleting(scope) { transaction in
            var errors: [JSONText] = []
            for (index, id) in ids.enumerated() {
                guard let account = try transaction.account(id: id) else { continue }
                if account.isDisabled == true || isForced {
                    try transaction.remove(account)
                } else {
                    errors.append(
                        .object([
                            ("index", .integer(Int64(index))), ("localId", .string(id)),
                            ("message", "NOT_DISABLED : Disable the account before batch deletion."),
                        ])
                    )
                }
            }
            return errors
        }
        return .object(errors.isEmpty ? [] : [("errors", .array(errors))])
    }

    /// `accounts:batchGet`: a page of users by their ids; all of them for −1, as official exports ask.
    func batchGet() throws -> JSONText {
        if call.route.project == nil {
            try require(try body.filled("targetProjectId") != nil, "INSUFFICIENT_PERMISSION")
        }
        _ = try enabledSettings()
        let kind: (String, JSONText?) = ("kind", "identitytoolkit#DownloadAccountResponse")
        // Production takes a zero at its word, and leaves out lists that are empty.
        let isProduction = context.profile.isProduction
        if isProduction, try call.parameter("maxResults") == "0" { return .object(compacting: [kind]) }
        let size = try call.pageSize("maxResults", max: Self.batchCountMax)
        let token = try call.parameter("nextPageToken")
        let users = try reading { try $0.accounts(after: token, limit: size ?? Int(Int32.max)) }
        let next = size.flatMap { users.count >= $0 ? users.last?.localID : nil }
        return .object(compacting: [
            kind, ("users", isProduction && users.isEmpty ? nil : .array(users.map(\.json))),
            ("nextPageToken", next.map(JSONText.string)),
        ])
    }

    /// `accounts:query`: the number of users, or all of them.
    ///
    /// Production answers 500 at most. Here the answer has all unless a limit is named, as the official user interface
    /// expects.
    func query() throws -> JSONText {
        _ = try enabledSettings()
        guard try body.boolean("returnUserInfo") ?? true else {
            let count = try reading { try $0.accountCount() }
            return .object([("recordsCount", .string(String(count)))])
        }
        let order = try body.choice("order", of: ["ORDER_UNSPECIFIED", "ASC", "DESC"])
        let sorting = try body.choice("sortBy", of: Self.sortings) ?? Self.sortings[0]
        let (limit, offset) = (try body.integer("limit") ?? 0, try body.integer("offset") ?? 0)
        let conditions = try conditions()
        if context.profile.isProduction, limit == 0, body.has("limit") { return .object([("recordsCount", "0")]) }
        var users = try reading { transaction in
            guard conditions.isEmpty else { return try matches(conditions, transaction) }
            return try transaction.accounts(after: nil, limit: Int(Int32.max))
        }
        guard let place = Self.sortings.firstIndex(of: sorting) else {
            guard context.profile.isProduction else {
                throw AuthFailure.payload("/sortBy must be equal to one of the allowed values")
            }
            let type = "type.googleapis.com/google.cloud.identitytoolkit.v1.QueryUserInfoRequest.SortByField"
            throw AuthFailure.invalidValue(.string(sorting), type: type, at: "sort_by")
        }
        switch (place, order == "DESC") {
        case (0...1, let isDescending): if isDescending { users.reverse() }
        // Users of one value stay in the order of their ids.
        case (_, true): users.sort { Self.key(place, $0) > Self.key(place, $1) }
        case (_, false): users.sort { Self.key(place, $0) < Self.key(place, $1) }
        }
        let page = users.dropFirst(max(0, Int(clamping: offset))).prefix(limit > 0 ? Int(clamping: limit) : users.count)
        let shown = page.map { $0.shown(by: context.profile).json }
        guard context.profile.isProduction else {
            return .object([("recordsCount", .string(String(users.count))), ("userInfo", .array(shown))])
        }
        return .object(compacting: [
            ("recordsCount", .string(String(page.count))), ("userInfo", shown.isEmpty ? nil : .array(shown)),
        ])
    }

    private static let sortings = [
        "SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL",
    ]

    private static func key(_ sorting: Int, _ account: Account) -> (String, Int64) {
        switch sorting {
        case 2: (account.displayName ?? "", 0)
        case 3: ("", account.createdAt ?? 0)
        case 4: ("", account.lastLoginAt ?? 0)
        default: (account.email ?? "", 0)
        }
    }

    /// The conditions of a query; in production the first counts alone, by the address, if it has one.
    private func conditions() throws(AuthFailure) -> [AuthBody] {
        let conditions = try body.objects("expression") ?? []
        guard context.profile.isProduction, let first = conditions.first else { return conditions }
        for name in ["email", "phoneNumber", "userId"] {
            if let value = try first.filled(name) { return [AuthBody([name: .string(value)])] }
        }
        return []
    }

    /// The users that meet one of several conditions, by their ids.
    private func matches(_ conditions: [AuthBody], _ transaction: AccountTransaction) throws -> [Account] {
        var found: [String: Account] = [:]
        for condition in conditions {
            let accounts = [
                try condition.filled("userId").flatMap(transaction.account(id:)),
                try condition.filled("email").flatMap { try transaction.account(email: $0.lowercased()) },
                try condition.filled("phoneNumber").flatMap(transaction.account(phoneNumber:)),
            ]
            for case let account? in accounts { found[account.localID] = account }
        }
        return found.values.sorted { $0.localID < $1.localID }
    }
}
