// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The assumptions about a log's users and images, in sentences.
struct Assumptions {
    let sentences: [String]

    init(
        _ activity: LoggedActivity,
        users: LoggedUsers,
        owned: OwnedObjects,
        habits: VisitHabits,
        rules: InferenceRules
    ) {
        let isRecording = activity.callerNumbers.isEmpty
        sentences =
            (isRecording ? Self.ofRecordings(users) : Self.ofDownloads(rules))
            + Self.ofImages(activity, owned: owned)
            + Self.ofListings(activity)
            + Self.ofTags(activity)
            + [Self.ofPauses(activity, rules: rules)]
            + Self.ofHabits(habits, rules: rules)
            + (activity.objects.contains { $0.pixels != nil } ? [Self.ofCopies] : [])
            + (isRecording ? [] : [Self.ofCaches])
    }

    private static let ofCopies =
        "a smaller copy of an image that the log does not have takes the share of its bytes that it has of its pixels"

    private static let ofCaches =
        "what the app's caches answered is in no server's log: users may have seen more than this"

    private static func ofRecordings(_ users: LoggedUsers) -> [String] {
        let image = "an image that was asked for without a token is for the user"
        let user =
            users.distinguishesAddresses
            ? "a user is the one of the token, else the program at an address; \(image) at its address who last read its"
                + " document, else for the last of all"
            : "a user is the one of the token, else the program; \(image) who last read its document"
        let loader =
            "a program without a token that read nothing belongs to the user at its address, where only one read anything"
        return users.hasLoaders ? [user, loader] : [user]
    }

    private static func ofListings(_ activity: LoggedActivity) -> [String] {
        guard activity.lists.contains(where: { $0.names != nil }) else { return [] }
        return [
            "a page of a listing of objects is a list, of the images that were loaded from it; with a delimiter, each folder"
                + " is a list of its own"
        ]
    }

    private static func ofTags(_ activity: LoggedActivity) -> [String] {
        guard activity.lists.contains(where: { $0.tag != nil }) else { return [] }
        return [
            "a list whose images have a tag, most of them the same, is the screen of that name; its posts' images with another tag"
                + " are those of opened posts"
        ]
    }

    private static func ofPauses(_ activity: LoggedActivity, rules: InferenceRules) -> String {
        let minutes = String(rules.relaunchGapMinutes)
        let start = "after \(minutes.hasSuffix(".0") ? String(minutes.dropLast(2)) : minutes) minutes without a request"
        let exception = activity.connectionCount > 0 ? ", unless it used a connection of before the pause again" : ""
        return "\(start) the app was started again\(exception)"
    }

    private static func ofDownloads(_ rules: InferenceRules) -> [String] {
        [
            "a user is an address and a program; users behind one address with the same program are one",
            "downloads within \(rules.viewGap / 1_000) ms of each other are one view",
        ]
    }

    private static func ofImages(_ activity: LoggedActivity, owned: OwnedObjects) -> [String] {
        guard owned.layouts.isEmpty else { return owned.layouts.map { "images follow from documents as \($0)" } }
        guard owned.forms.isEmpty else {
            return ["images whose names differ in a last small number are of one post, as in \(owned.forms[0])"]
        }
        return [
            activity.lists.isEmpty
                ? "no names of objects differ in a small number alone, so that each is a post of its own"
                : "no object's name follows from a document, so that each is a post of its own; "
                    + "--layout 'posts/{id}/{n}.jpg' says how"
        ]
    }

    private static func ofHabits(_ habits: VisitHabits, rules: InferenceRules) -> [String] {
        var sentences: [String] = []
        if habits.appKeepsImages {
            sentences.append("the app keeps images: a post that it had loaded before was shown without a request")
        }
        if !habits.listsLoadingAll.isEmpty, !habits.hasOpenings {
            sentences.append(
                "lists load all images of a post, so that the log does not show which posts were opened; "
                    + "\(rules.openedPercent) % of them, chosen by their names, count as opened right after they were shown"
            )
        } else {
            sentences.append("a post whose further images were loaded was opened")
        }
        return sentences
    }
}
