// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStoreCrashScript

extension CrashState {
    mutating func apply(_ operation: CrashPartsOperation, newUpload: String?) {
        switch operation {
        case .begin(let place):
            if let newUpload { partedUploads[CrashPartedUpload(id: newUpload, place: place)] = [:] }
        case .put(let number, let upload, let run): partedUploads[upload]?[number] = run
        case .complete(let upload, let numbers):
            guard let parts = partedUploads.removeValue(forKey: upload) else { return }
            put(CrashContents(runs: numbers.compactMap { parts[$0] }), at: upload.place)
        case .abort(let upload): partedUploads[upload] = nil
        }
    }
}
