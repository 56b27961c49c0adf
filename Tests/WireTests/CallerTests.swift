// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Wire

struct CallerTests {
    private static func token(_ claims: String) -> String {
        let payload = Data(claims.utf8).base64EncodedString()
        let urlSafe = payload.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" }
        return "Bearer e30.\(String(urlSafe))."
    }

    @Test(arguments: ["Bearer owner", "Firebase owner"])
    func `knows the administrator`(authorization: String) {
        let caller = Caller(authorization: authorization)
        #expect(caller.isAdmin)
        #expect(caller.userID == nil)
    }

    @Test func `takes the user from an unsigned token`() {
        let caller = Caller(authorization: Self.token(#"{"sub":"ü??>>","iat":0}"#))
        #expect(!caller.isAdmin)
        #expect(caller.userID == "ü??>>")
    }

    @Test func `prefers the claim of Firebase Auth`() {
        #expect(Caller(authorization: Self.token(#"{"sub":"a","user_id":"b"}"#)).userID == "b")
    }

    @Test(arguments: [nil, "", "owner", "Basic owner", "Bearer ", "Bearer a.b.c", token("[]"), token(#"{"sub":1}"#)])
    func `takes everything else for anonymous`(authorization: String?) {
        #expect(Caller(authorization: authorization) == .anonymous)
    }
}
