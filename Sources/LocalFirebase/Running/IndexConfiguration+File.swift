// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Foundation
import SuiteFiles

extension IndexConfiguration {
    /// Reads a `firestore.indexes.json`, which may have comments, as that which firebase-tools makes has.
    init(file path: String) throws(EmulatorError) {
        do {
            let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            self = try IndexConfiguration(json: Data(CommentedJSON.blankingComments(in: text)))
        } catch let error as FirestoreError {
            throw .badIndexes(path, because: error.message)
        } catch {
            throw .badIndexes(path, because: "\(error.localizedDescription)")
        }
    }
}
