// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

struct BillingRuleTests {
    @Test(arguments: PublishedRule.all)
    func `bills as published`(_ example: PublishedRule) {
        let billed = example.rule.billed(status: example.status, sentBodyBytes: example.sentBodyBytes)
        #expect(billed == example.billed)
    }

    @Test func `every class of operation pays for its bytes`() {
        for operationClass in StorageOperationClass.allCases {
            let billed = BillingRule.storage(operationClass).billed(status: 200, sentBodyBytes: 10)
            #expect(billed.egressBytes == 10)
            #expect(billed.classA + billed.classB == (operationClass == .free ? 0 : 1))
        }
    }
}
