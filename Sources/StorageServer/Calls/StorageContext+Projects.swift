// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import ObjectStore
import Wire

extension StorageContext {
    /// Notes the project of a call: that of a default bucket, or the one named where buckets are listed or made.
    func noteProject(of call: StorageCall) {
        guard let projects else { return }
        let bucket: BucketName
        switch call.operation.target {
        case .service:
            // Google's clients write `_` for any project.
            if let project = call.target["project"], !project.isEmpty, project != "_" {
                projects.note(project, of: .storage)
            }
            return
        case .bucket(let name): bucket = name
        case .object(let path): bucket = path.bucket
        }
        // Ids have no dots: `staging.demo.appspot.com` is not a default bucket.
        guard let project = bucket.projectOfDefault, !project.isEmpty, !project.utf8.contains(UInt8(ascii: "."))
        else { return }
        projects.note(project, of: .storage)
    }
}

extension BucketName {
    private static let defaultEndings = [".appspot.com", ".firebasestorage.app"]

    /// The project whose default bucket this is, by its name; `nil` for the bucket of another name.
    ///
    /// (firebase.google.com/docs/storage/faq-storage-changes-announced-sept-2024, 2026-11.)
    package var projectOfDefault: String? {
        for end in Self.defaultEndings where description.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) {
            return String(description.dropLast(end.count))
        }
        return nil
    }
}
