// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// Returns the identity that an update links to a user; `nil` where it links none.
    func linkedIdentity(of account: Account, _ transaction: AccountTransaction) throws -> LinkedProvider? {
        guard let identity = try body.object("linkProviderUserInfo") else { return nil }
        guard context.profile.isProduction else {
            try require(try identity.filled("providerId") != nil, "MISSING_PROVIDER_ID")
            try require(try identity.filled("rawId") != nil, "MISSING_RAW_ID")
            return LinkedProvider(json: .object(identity.members))
        }
        try require(
            call.isPrivileged,
            "UNEXPECTED_PARAMETER : link_provider_user_info is not allowed with ID token."
        )
        guard var linked = LinkedProvider(json: .object(identity.members)) else {
            throw AuthFailure.bad("MISSING_IDENTIFIER : providerId & rawId are both required for provider linking")
        }
        let isOfAddress = [ProviderName.password, ProviderName.phone].contains(linked.providerID)
        try require(!isOfAddress, "INVALID_PROVIDER_ID")
        let owner = try transaction.account(provider: linked.providerID, rawID: linked.rawID)
        try require(owner == nil || owner?.localID == account.localID, "FEDERATED_USER_ID_ALREADY_LINKED")
        linked.federatedID = linked.federatedID ?? linked.rawID
        return linked
    }
}
