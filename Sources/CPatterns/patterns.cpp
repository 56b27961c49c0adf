// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#include "firemeter_patterns.h"

#include <re2/re2.h>

#include <vector>

namespace {
const RE2 &expression(const firemeter_pattern *pattern) { return *reinterpret_cast<const RE2 *>(pattern); }
}  // namespace

extern "C" {

firemeter_pattern *firemeter_pattern_make(const char *source, size_t byte_count) {
    RE2::Options options;
    options.set_log_errors(false);
    RE2 *pattern = new RE2(re2::StringPiece(source, byte_count), options);
    if (pattern->ok()) return reinterpret_cast<firemeter_pattern *>(pattern);
    delete pattern;
    return nullptr;
}

void firemeter_pattern_free(firemeter_pattern *pattern) { delete reinterpret_cast<RE2 *>(pattern); }

int firemeter_pattern_group_count(const firemeter_pattern *pattern) { return expression(pattern).NumberOfCapturingGroups(); }

int firemeter_pattern_group(const firemeter_pattern *pattern, const char *name) {
    const auto &groups = expression(pattern).NamedCapturingGroups();
    auto found = groups.find(name);
    return found == groups.end() ? 0 : found->second;
}

bool firemeter_pattern_matches(const firemeter_pattern *pattern, const char *text, size_t byte_count) {
    return RE2::FullMatch(re2::StringPiece(text, byte_count), expression(pattern));
}

bool firemeter_pattern_find(
    const firemeter_pattern *pattern, const char *text, size_t byte_count, size_t start, ptrdiff_t *bounds
) {
    int count = expression(pattern).NumberOfCapturingGroups() + 1;
    std::vector<re2::StringPiece> groups(count);
    re2::StringPiece whole(text, byte_count);
    if (!expression(pattern).Match(whole, start, byte_count, RE2::UNANCHORED, groups.data(), count)) return false;
    for (int group = 0; group < count; group++) {
        bool is_matched = groups[group].data() != nullptr;
        bounds[2 * group] = is_matched ? groups[group].data() - text : -1;
        bounds[2 * group + 1] = is_matched ? groups[group].data() + groups[group].size() - text : -1;
    }
    return true;
}
}
