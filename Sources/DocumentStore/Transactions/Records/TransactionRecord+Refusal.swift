// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension TransactionRecord {
    /// Why a use is refused; `nil` when it is not.
    ///
    /// To be asked after expiry was noticed. Sources: as for the texts; that a lost transaction can be rolled back and
    /// is otherwise over is not recorded, but what the client libraries need in order to try again.
    func refusal(of use: Use, at now: Duration, _ times: TransactionTimes) -> DocumentStoreError? {
        let age = now - beginning
        guard age < times.memory else { return .transactionUnknown }
        switch (phase, use) {
        case (.active, _): return nil
        case (.ended(.expired), .rollback): return age < times.totalLimit ? nil : .transactionOver
        case (.ended(.rolledBack), .rollback), (.ended(.refused), .rollback), (.ended(.aborted), .rollback): return nil
        case (.ended(.refused), _): return .transactionRefused
        case (.committing, _), (.ended, _): return .transactionOver
        }
    }
}
