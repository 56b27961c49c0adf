// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

@testable import LogImport

/// Reads access logs with a string for each field, slowly.
///
/// ``AccessLog`` must find the same.
struct ReferenceAccessLog {
    let format: AccessLogFormat

    /// The request that a line is; `nil` for a line of another format.
    func request(_ text: String) -> CollectedRequest? {
        guard let fields = fields(of: Array(text.utf8)), let (when, form) = fields.time,
            let time = ReferenceClock.microseconds(of: when, form)
        else { return nil }
        let size = fields.texts[.byteCount]
        guard let byteCount = size == nil || size == "-" ? 0 : size.flatMap({ Int64($0) }) else { return nil }
        let place = place(fields.texts)
        var client = RequestText()
        let ranges = (client.append(fields.texts[.address] ?? ""), client.append(fields.texts[.agent] ?? ""))
        return client.withRequest { logged in
            logged.setClient(address: ranges.0, agent: ranges.1)
            logged.byteCount = size == nil ? nil : byteCount
            return CollectedRequest(
                time: time,
                operation: place?.operation ?? .other,
                status: fields.texts[.status].flatMap { Int($0) } ?? 0,
                byteCount: logged.byteCount,
                bucket: place?.bucket ?? "",
                object: place?.object ?? "",
                client: logged.clientHash
            )
        }
    }

    private struct Fields {
        var texts: [AccessLogFormat.Field: String] = [:]
        var time: (String, AccessLogTime)?

        mutating func keep(_ field: AccessLogFormat.Field, _ bytes: ArraySlice<UInt8>) {
            let text = String(decoding: bytes, as: UTF8.self)
            if case .time(let form) = field {
                time = (text, form)
            } else if texts[field] == nil {
                texts[field] = text
            }
        }
    }

    private func fields(of line: [UInt8]) -> Fields? {
        var (fields, position) = (Fields(), 0)
        for (index, piece) in format.pieces.enumerated() {
            guard case .field(let field) = piece else {
                // The characters after a field were found with it.
                guard index == 0, case .literal(let text) = piece else { continue }
                guard line.starts(with: text) else { return nil }
                position = text.count
                continue
            }
            var (end, next) = (line.count, line.count)
            if index + 1 < format.pieces.count, case .literal(let text) = format.pieces[index + 1] {
                let least = field == .time(.local) ? 26 : 0
                if let found = Self.position(of: text, in: line, from: position + least) {
                    (end, next) = (found, found + text.count)
                } else if index + 1 < format.requiredCount {
                    return nil
                }
            } else if index + 1 < format.pieces.count {
                guard let found = line[position...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
                (end, next) = (found, found)
            }
            fields.keep(field, line[position..<end])
            position = next
            if position == line.count, index + 2 < format.pieces.count {
                return index + 1 >= format.requiredCount ? fields : nil
            }
        }
        return fields
    }

    private static func position(of text: [UInt8], in line: [UInt8], from start: Int) -> Int? {
        var position = start
        while position + text.count <= line.count {
            if text[0] == UInt8(ascii: "\""), line[position] == UInt8(ascii: "\\") {
                position += 2
            } else if line[position...].starts(with: text) {
                return position
            } else {
                position += 1
            }
        }
        return nil
    }

    private func place(_ texts: [AccessLogFormat.Field: String]) -> ReferenceAddress? {
        var (method, target) = (texts[.method] ?? "GET", texts[.target])
        if let request = texts[.request] {
            let parts = request.split(separator: " ")
            guard parts.count >= 2 else { return nil }
            (method, target) = (String(parts[0]), String(parts[1]))
        }
        guard let target else { return nil }
        guard let host = texts[.host], host != "-", target.hasPrefix("/") else {
            return ReferenceAddress(method: method, address: target)
        }
        return ReferenceAddress(method: method, address: "https://\(host)\(target)")
    }
}

/// Bucket, object and operation of an address.
struct ReferenceAddress {
    let bucket: String
    let object: String
    let operation: LoggedOperation

    /// Takes an address, or a path where the log does not have the host.
    init(method: String, address: String) {
        var (host, path) = (Substring(), Substring(address))
        // A path may have another address in its query.
        let scheme = path.prefix { $0.isASCII && $0.isLetter }
        if !scheme.isEmpty, path[scheme.endIndex...].hasPrefix("://") {
            path = path[scheme.endIndex...].dropFirst(3)
            let end = path.firstIndex { $0 == "/" || $0 == "?" } ?? path.endIndex
            (host, path) = (path[..<end], path[end...])
        }
        let query = path.firstIndex(of: "?").map { path[path.index(after: $0)...] } ?? ""
        path = path.prefix { $0 != "?" && $0 != "#" }
        let isMedia = query.split(separator: "&").contains("alt=media")
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if host.hasPrefix("firestore.") || path.contains("/google.firestore.v1.Firestore/")
            || path.contains("/databases/")
        {
            self.init(bucket: String(host), object: "", operation: .documents)
        } else if let place = segments.firstIndex(of: "b"),
            segments.dropFirst(place - segments.startIndex + 2).first == "o",
            place <= segments.startIndex + 3
        {
            let bucket = String(segments[place + 1]).percentDecoded
            let object = segments.dropFirst(place - segments.startIndex + 3).joined(separator: "/").percentDecoded
            let isDownload = isMedia || segments.first == "download"
            self.init(bucket: bucket, object: object, operation: Self.operation(method, object, isMedia: isDownload))
        } else {
            let isShared = host.isEmpty || host == "storage.googleapis.com" || host == "storage.cloud.google.com"
            let parts = isShared && segments.count > 1 ? segments.dropFirst() : segments
            let bucket = isShared ? String(segments.first ?? "") : Self.bucket(host)
            let object = parts.joined(separator: "/").percentDecoded
            self.init(bucket: bucket, object: object, operation: Self.operation(method, object, isMedia: true))
        }
    }

    private init(bucket: String, object: String, operation: LoggedOperation) {
        self.bucket = bucket
        self.object = object
        self.operation = operation
    }

    private static func bucket(_ host: Substring) -> String {
        let name = host.prefix { $0 != ":" }
        let suffix = ".storage.googleapis.com"
        return String(name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name)
    }

    private static func operation(_ method: String, _ object: String, isMedia: Bool) -> LoggedOperation {
        switch method {
        case "GET" where object.isEmpty: .list
        case "GET": isMedia ? .download : .metadata
        case "HEAD": .metadata
        case "PUT", "POST", "PATCH": .write
        case "DELETE": .delete
        default: .other
        }
    }
}

/// Times of access logs.
enum ReferenceClock {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func microseconds(of when: String, _ form: AccessLogTime) -> Int64? {
        switch form {
        case .local: local(when)
        case .iso8601: iso8601(when)
        case .seconds: sinceEpoch(when, unit: 1_000_000)
        case .milliseconds: sinceEpoch(when, unit: 1_000)
        case .microseconds: sinceEpoch(when, unit: 1)
        }
    }

    private static func local(_ when: String) -> Int64? {
        let parts = when.split(whereSeparator: { "/: ".contains($0) })
        guard parts.count == 7, let month = months.firstIndex(of: String(parts[1])) else { return nil }
        let (day, number) = (parts[0], String(month + 1))
        let zone = parts[6]
        guard zone.count == 5 else { return nil }
        let twoDigits = number.count == 1 ? "0" + number : number
        return iso8601("\(parts[2])-\(twoDigits)-\(day)T\(parts[3]):\(parts[4]):\(parts[5])\(zone)")
    }

    private static func iso8601(_ when: String) -> Int64? {
        let zone = when.suffix(5)
        guard let sign = zone.first, sign == "+" || sign == "-" else { return LogTime(when)?.microseconds }
        return LogTime("\(when.dropLast(2)):\(when.suffix(2))")?.microseconds
    }

    private static func sinceEpoch(_ when: String, unit: Int64) -> Int64? {
        let parts = when.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first.flatMap({ Int64($0) }),
            // The year 9999 at most, as everywhere.
            (0...253_402_300_799_999_999 / unit).contains(whole)
        else { return nil }
        guard parts.count == 2 else { return whole * unit }
        guard parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let digits = String(unit).count - 1
        return whole * unit + (Int64(String((parts[1] + "000000").prefix(digits))) ?? 0)
    }
}
