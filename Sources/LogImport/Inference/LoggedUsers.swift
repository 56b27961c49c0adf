// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The users of a log: which of its callers are one.
///
/// A user is the one of the token, else the program at an address. Where a recording has one address only, as behind a proxy or
/// with all on one machine, the address says nothing.
struct LoggedUsers: Sendable {
    /// The names of the users.
    private(set) var names: [String] = []
    /// Whether each user has read documents or listed objects.
    private(set) var hasRead: [Bool] = []
    /// The user of each caller.
    private(set) var users: [Int32] = []
    /// The number of each caller's address, from 1; 0 where the log does not say.
    private(set) var addresses: [Int32] = []
    /// Whether programs at several addresses are different users.
    private(set) var distinguishesAddresses = false
    /// Whether callers without a token were taken for the user at their address.
    private(set) var hasLoaders = false
    /// The users at each address who have read something.
    private var readers: [Int32: Set<Int32>] = [:]

    init(_ activity: LoggedActivity) {
        let addresses = AddressNumbers(activity.callers)
        var numbers: [String: Int32] = [:]
        for (caller, hasRead) in zip(activity.callers, activity.hasRead) {
            let address = addresses.number(of: caller)
            let isDistinguished = caller.kind == .program && addresses.isOneOfSeveral(caller)
            let name = isDistinguished ? "\(caller.name), address \(address)" : caller.name
            let user = numbers[name] ?? add(name)
            numbers[name] = user
            if hasRead {
                self.hasRead[Int(user)] = true
                readers[address, default: []].insert(user)
            }
            distinguishesAddresses = distinguishesAddresses || isDistinguished
            users.append(user)
            self.addresses.append(address)
        }
        readers[0] = nil
        takeLoaders(activity.callers)
    }

    private mutating func add(_ name: String) -> Int32 {
        names.append(name)
        hasRead.append(false)
        return Int32(names.count - 1)
    }

    /// A caller without a token that reads nothing is the only user at its address who does.
    private mutating func takeLoaders(_ callers: [LoggedActivity.Caller]) {
        for (number, caller) in callers.enumerated() where caller.kind != .token && !hasRead[Int(users[number])] {
            guard let readers = readers[addresses[number]], readers.count == 1, let reader = readers.first else {
                continue
            }
            users[number] = reader
            hasLoaders = true
        }
    }

    /// Whether several users at an address have read something.
    func isShared(_ address: Int32) -> Bool { readers[address]?.count ?? 0 > 1 }
}

/// Numbers the addresses of all recordings of a log, from 1.
private struct AddressNumbers {
    private var numbers: [LoggedActivity.Address: Int32] = [:]
    private var countsByRecording: [Int: Int] = [:]

    init(_ callers: [LoggedActivity.Caller]) {
        for case let address? in callers.map(\.address) where numbers[address] == nil {
            numbers[address] = Int32(numbers.count + 1)
            countsByRecording[address.recording, default: 0] += 1
        }
    }

    /// 0 for a caller without an address.
    func number(of caller: LoggedActivity.Caller) -> Int32 { caller.address.flatMap { numbers[$0] } ?? 0 }

    func isOneOfSeveral(_ caller: LoggedActivity.Caller) -> Bool {
        caller.address.flatMap { countsByRecording[$0.recording] } ?? 0 > 1
    }
}
