// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the format of an access log: nginx's variables begin with `$`, Apache's directives with `%`.
struct AccessLogFormatParser {
    private let text: String

    init(_ text: String) { self.text = text }

    func pieces() throws(AccessLogFormatError) -> [AccessLogFormat.Piece] {
        let isNginx = text.contains("$")
        var pieces: [AccessLogFormat.Piece] = []
        var rest = Substring(text)
        while let character = rest.first {
            if character == (isNginx ? "$" : "%") {
                rest = rest.dropFirst()
                let found = isNginx ? try variable(&rest) : try directive(&rest)
                for piece in found { try append(piece, to: &pieces) }
            } else {
                let literal = rest.prefix { $0 != (isNginx ? "$" : "%") }
                try append(.literal(Array(literal.utf8)), to: &pieces)
                rest = rest.dropFirst(literal.count)
            }
        }
        return pieces
    }

    private func append(
        _ piece: AccessLogFormat.Piece,
        to pieces: inout [AccessLogFormat.Piece]
    ) throws(AccessLogFormatError) {
        switch (pieces.last, piece) {
        case (.literal(let before), .literal(let text)): pieces[pieces.count - 1] = .literal(before + text)
        // A path and its query are one address; what is passed over may be any length.
        case (.field(.target), .field(.query)), (.field(.target), .field(.ignored)),
            (.field(.ignored), .field(.ignored)):
            return
        case (.field(.ignored), .field(.query)): return
        // A path begins with a slash.
        case (.field(.host), .field(.target)): pieces.append(piece)
        case (.field, .field):
            throw AccessLogFormatError("two fields of the format have nothing between them; no line tells them apart")
        default: pieces.append(piece)
        }
    }

    private func variable(_ rest: inout Substring) throws(AccessLogFormatError) -> [AccessLogFormat.Piece] {
        let isBraced = rest.first == "{"
        if isBraced { rest = rest.dropFirst() }
        let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        rest = rest.dropFirst(name.count)
        if isBraced { rest = rest.dropFirst() }
        guard !name.isEmpty else { throw AccessLogFormatError("a $ of the format names no variable") }
        switch name {
        case "remote_addr", "realip_remote_addr": return [.field(.address)]
        case "time_local": return [.field(.time(.local))]
        case "time_iso8601": return [.field(.time(.iso8601))]
        case "msec": return [.field(.time(.seconds))]
        case "request": return [.field(.request)]
        case "request_method": return [.field(.method)]
        case "request_uri", "uri", "document_uri": return [.field(.target)]
        case "args", "query_string", "is_args": return [.field(.query)]
        case "host", "http_host": return [.field(.host)]
        case "status": return [.field(.status)]
        case "body_bytes_sent", "bytes_sent": return [.field(.byteCount)]
        case "http_user_agent": return [.field(.agent)]
        case "request_id": return [.field(.requestID)]
        default: return [.field(.ignored)]
        }
    }

    private func directive(_ rest: inout Substring) throws(AccessLogFormatError) -> [AccessLogFormat.Piece] {
        func skipModifiers() { rest = rest.drop { "<>!,".contains($0) || $0.isASCII && $0.isNumber } }
        if rest.first == "%" {
            rest = rest.dropFirst()
            return [.literal(Array("%".utf8))]
        }
        skipModifiers()
        var argument = ""
        if rest.first == "{" {
            argument = String(rest.dropFirst().prefix { $0 != "}" })
            rest = rest.dropFirst(argument.count + 2)
        }
        skipModifiers()
        // Those with a caret have two letters.
        if rest.first == "^" {
            rest = rest.dropFirst(3)
            return [.field(.ignored)]
        }
        guard let letter = rest.popFirst() else { throw AccessLogFormatError("a % of the format names no directive") }
        switch letter {
        case "h", "a": return [.field(.address)]
        case "t": return try time(argument)
        case "r": return [.field(.request)]
        case "m": return [.field(.method)]
        case "U": return [.field(.target)]
        case "q": return [.field(.query)]
        case "v", "V": return [.field(.host)]
        case "s": return [.field(.status)]
        case "b", "B", "O": return [.field(.byteCount)]
        case "L": return [.field(.requestID)]
        case "i" where argument.lowercased() == "user-agent": return [.field(.agent)]
        case "i" where argument.lowercased() == "host": return [.field(.host)]
        case "e" where argument == "UNIQUE_ID": return [.field(.requestID)]
        default: return [.field(.ignored)]
        }
    }

    private func time(_ argument: String) throws(AccessLogFormatError) -> [AccessLogFormat.Piece] {
        let prefix = ["begin:", "end:"].first { argument.hasPrefix($0) } ?? ""
        switch argument.dropFirst(prefix.count) {
        case "": return [.literal(Array("[".utf8)), .field(.time(.local)), .literal(Array("]".utf8))]
        case "%d/%b/%Y:%H:%M:%S %z", "%d/%b/%Y:%T %z": return [.field(.time(.local))]
        case "%Y-%m-%dT%H:%M:%S%z", "%FT%T%z": return [.field(.time(.iso8601))]
        case "sec": return [.field(.time(.seconds))]
        case "msec": return [.field(.time(.milliseconds))]
        case "usec": return [.field(.time(.microseconds))]
        // Fractions of a second behind the whole ones.
        case "msec_frac", "usec_frac": return [.field(.ignored)]
        default:
            throw AccessLogFormatError(
                "'%{\(argument)}t' is a time that is not read; expected %t, %{%Y-%m-%dT%H:%M:%S%z}t, %{sec}t, %{msec}t or %{usec}t"
            )
        }
    }
}
