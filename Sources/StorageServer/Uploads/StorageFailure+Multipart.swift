// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension StorageFailure {
    /// Why a multipart upload is none; the words about the number of parts were recorded from production in 2026.
    init(_ failure: MultipartRelatedParser.Failure) {
        switch failure {
        case .noBoundary:
            self = .invalid("A multipart upload needs the content type multipart/related with a boundary.")
        case .partTooLarge:
            self = .invalid("The metadata part of the multipart body, or the header of a part, is too large.")
        case .unfinished: self = .invalid("The multipart body ends before its closing boundary.")
        case .partCount(let count):
            self.init(
                status: 400,
                message: "Payload size invalid. Expected 2-3 payloads. Actual size: \(count)",
                reason: "invalidPayloadSize"
            )
            firebaseMessage = "Multipart body does not contain 2 or 3 parts."
            uploadServerForm = .firebase
        }
    }
}
