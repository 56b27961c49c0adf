// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A regular expression of RE2, whose matching takes time in proportion to the text. It may be used by several threads.
typedef struct firemeter_pattern firemeter_pattern;

/// Returns NULL for what is not a regular expression.
firemeter_pattern *firemeter_pattern_make(const char *expression, size_t byte_count);

void firemeter_pattern_free(firemeter_pattern *pattern);

/// The groups in parentheses.
int firemeter_pattern_group_count(const firemeter_pattern *pattern);

/// The number of a group with a name; 0 where there is none.
int firemeter_pattern_group(const firemeter_pattern *pattern, const char *name);

/// Whether the whole of a text matches.
bool firemeter_pattern_matches(const firemeter_pattern *pattern, const char *text, size_t byte_count);

/// Finds the first match that does not begin before `start`.
///
/// `bounds` has room for two numbers for the match and for each group: where it begins, and where it ends; -1 for a group without a
/// part in the match. Returns false where there is no match.
bool firemeter_pattern_find(
    const firemeter_pattern *pattern, const char *text, size_t byte_count, size_t start, ptrdiff_t *bounds
);

#ifdef __cplusplus
}
#endif
