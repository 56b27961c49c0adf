// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension StorageFailure {
    /// Why a multipart upload is none; the words about the number of parts were recorded from production in 2026, the bare
    /// ones about large metadata are quoted in infinitered/apisauce#92 (2017) and expected by googleapis/nodejs-storage 7.19
    /// (`system-test/storage.ts`, "should throw original error message on non JSON response on large metadata").
    init(_ failure: MultipartRelatedParser.Failure) {
        switch failure {
        case .noBoundary:
            self = .invalid("A multipart upload needs the content type multipart/related with a boundary.")
        case .metadataTooLarge:
            self = .invalid("Metadata part is too large.")
            isBare = true
        case .partHeaderTooLarge: self = .invalid("The header of a part of the multipart body is too large.")
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
