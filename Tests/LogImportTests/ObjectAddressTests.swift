// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LogImport

struct ObjectAddressTests {
    @Test(
        arguments: [
            (
                "GET", "https://firebasestorage.googleapis.com/v0/b/d.appspot.com/o/u1%2Fp%201%2F0?alt=media&token=T",
                "d.appspot.com", "u1/p 1/0", .download
            ),
            ("GET", "/v0/b/d.appspot.com/o/u1%2Fp1%2F0?token=T", "d.appspot.com", "u1/p1/0", .metadata),
            ("GET", "/v0/b/d.appspot.com/o?prefix=u1", "d.appspot.com", "", .list),
            ("POST", "/v0/b/d.appspot.com/o?name=x", "d.appspot.com", "", .write),
            ("GET", "https://storage.googleapis.com/storage/v1/b/B/o/a%2Fb?alt=media", "B", "a/b", .download),
            ("GET", "https://storage.googleapis.com/download/storage/v1/b/B/o/a%2Fb", "B", "a/b", .download),
            ("GET", "https://storage.googleapis.com/B/u/p/0?X-Goog-Signature=S", "B", "u/p/0", .download),
            ("HEAD", "https://B.storage.googleapis.com/u/p/0", "B", "u/p/0", .metadata),
            ("GET", "https://cdn.example.com:8443/img/u/p/0.jpg?w=2#f", "cdn.example.com", "img/u/p/0.jpg", .download),
            ("DELETE", "https://B.storage.googleapis.com/u", "B", "u", .delete),
            (
                "POST", "https://firestore.googleapis.com/google.firestore.v1.Firestore/Listen/channel?x=1",
                "firestore.googleapis.com", "", .documents
            ),
            ("GET", "https://host", "host", "", .list),
            ("OPTIONS", "/x/y", "x", "y", .other),
            ("GET", "/login?next=https://storage.googleapis.com/b/SECRET", "login", "login", .download),
        ] as [(String, String, String, String, LoggedOperation)]
    )
    func `an address tells bucket, object and operation`(
        _ method: String,
        _ address: String,
        _ bucket: String,
        _ object: String,
        _ operation: LoggedOperation
    ) {
        var text = RequestText()
        let ranges = (text.append(method), text.append(address))
        text.withRequest { logged in
            logged.take(ObjectAddress(method: ranges.0, address: ranges.1, in: logged.text))
            #expect((logged.bucketName, logged.objectName) == (bucket, object))
            #expect(logged.operation == operation)
        }
    }

    @Test(arguments: [("a%2Fb", "a/b"), ("%C3%A9", "é"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("", "")])
    func `what stands for a byte becomes it`(_ text: String, _ decoded: String) {
        #expect(text.percentDecoded == decoded)
    }
}
