// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Wire

extension StorageCall {
    /// How the client wants JSON written: in lines unless it says otherwise, and whole where it asks amiss.
    var form: AnswerForm { (try? requestedForm()) ?? AnswerForm(isIndented: true) }

    /// Reads how the client wants JSON written.
    ///
    /// - Throws: `StorageFailure` (400) for a selection or a callback that cannot be read.
    func requestedForm() throws(StorageFailure) -> AnswerForm {
        var form: AnswerForm
        do {
            form = try AnswerForm(isIndented: true) { target[$0] }
        } catch {
            throw .invalidParameter("callback", error.message)
        }
        guard api != .firebase else { return form }
        do {
            form.fields = try FieldSelector(target[.fields])
        } catch {
            throw .invalidParameter("fields", "Invalid field selection\(error.complaint)")
        }
        return form
    }
}

extension StorageFailure {
    fileprivate static func invalidParameter(_ name: String, _ message: String) -> Self {
        Self(status: 400, message: message, reason: "invalidParameter", location: .parameter(name))
    }
}

extension FieldSelectionError {
    fileprivate var complaint: String {
        switch self {
        case .malformed(let parameter): " \(parameter)"
        case .tooLong: ": it is longer than \(FieldSelector.byteCountMax) bytes."
        }
    }
}
