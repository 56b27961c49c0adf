// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// How a client wants the JSON of its answer written, as the system parameters say it.
package struct AnswerForm: Equatable, Sendable {
    /// Whether the JSON is broken into lines.
    package var isIndented: Bool
    /// Whether enumerations are numbers; the one value of `google.protobuf.NullValue` stays `null`.
    package var enumsAreIntegers = false
    /// The function of a script that the answer is passed to (JSONP).
    package private(set) var callback: String?
    /// Whether an error also has the list of older APIs.
    package var hasErrorList = false
    /// The members that are wanted; errors are whole.
    package var fields = FieldSelector.everything

    /// The form of a client that asks for none.
    package init(isIndented: Bool) {
        self.isIndented = isIndented
    }

    /// Reads all but the selection, whose grammar is the API's.
    ///
    /// - Parameters:
    ///   - isIndented: Whether the JSON is broken into lines for a client that does not say.
    ///   - value: Returns the value of a parameter.
    /// - Throws: ``AnswerFormError`` for a callback that does not name a function.
    package init(isIndented: Bool, value: (SystemParameter) -> String?) throws(AnswerFormError) {
        self.isIndented = value(.prettyPrint).map { Self.flag($0) ?? isIndented } ?? isIndented
        enumsAreIntegers = AlternativeFormat(value(.alt)).enumsAreIntegers
        hasErrorList = value(.errorFormat) == "1"
        if let name = value(.callback), !name.isEmpty {
            guard Self.isFunction(name) else { throw .callbackMalformed }
            callback = name
        }
    }

    /// The media type of the answer.
    package var contentType: String {
        callback == nil ? "application/json; charset=UTF-8" : "text/javascript; charset=UTF-8"
    }

    /// The text before the answer's JSON.
    package var opening: String { callback.map { "// API callback\n\($0)(" } ?? "" }

    /// The text after the answer's JSON.
    package var closing: String { callback == nil ? "" : ");" }

    /// The text between two elements of an answer that is a list sent piece by piece.
    package var separator: String { isIndented ? "\n,\n" : "," }

    /// Renders the whole answer; a selection is made beforehand.
    package func rendered(_ json: JSONText) -> String {
        opening + json.rendered(isIndented: isIndented) + closing
    }

    /// Reads a truth value in any of the spellings that `absl::SimpleAtob` takes; `nil` for another text.
    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "t", "yes", "y", "1": true
        case "false", "f", "no", "n", "0": false
        default: nil
        }
    }

    /// Whether a text can only name a function: anything else would run as a script of the client's origin.
    private static func isFunction(_ name: String) -> Bool {
        name.utf8.count <= callbackByteCountMax
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// The longest name of a callback.
    static let callbackByteCountMax = 256
}

/// Why system parameters were refused.
package enum AnswerFormError: Error, Equatable, Sendable {
    /// The callback does not name a function.
    case callbackMalformed

    /// The reason and the remedy.
    package var message: String {
        """
        Invalid JSONP callback name; only letters, digits, "_", "$", ".", "[" and "]" are allowed, \
        \(AnswerForm.callbackByteCountMax) at most.
        """
    }
}
