# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Long trials of a whole emulator: kills, a soak, hostile clients. `tools/trials` runs them, the tests a short form of each."""
