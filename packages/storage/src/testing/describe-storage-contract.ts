import { describe, expect, it } from "vitest"
import { openFor } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { describeDeletes, describeReadOnly } from "./delete-behaviour.ts"
import { describeListings } from "./list-behaviour.ts"
import { describePaths } from "./path-behaviour.ts"
import { describePieces } from "./piece-behaviour.ts"
import { describeReads } from "./read-behaviour.ts"
import { describeConditions, describeMissingConditions, describeWrites } from "./write-behaviour.ts"

/** Describes what every adapter must do, as tests. An adapter must refuse the operations that it does not support. */
export function describeStorageContract(name: string, contract: StorageContract): void {
  const { capabilities, takesConditions = true } = contract
  describe(`${name} fulfils the storage contract`, () => {
    it("has the expected capabilities", async () => {
      const { storage } = await openFor(contract)
      expect(storage.capabilities).toEqual(capabilities)
    })
    describe("reads", () => describeReads(contract))
    describe("pieces", () => describePieces(contract))
    describe("paths", () => describePaths(contract))
    describe("listings", () => describeListings(contract))
    if (capabilities.write) describe("writes", () => describeWrites(contract))
    if (capabilities.write && capabilities.delete) describe("deletes", () => describeDeletes(contract))
    if (!capabilities.write) describe("a read-only storage", () => describeReadOnly(contract))
    else if (capabilities.conditionalWrite && takesConditions)
      describe("conditional writes", () => describeConditions(contract))
    else describe("conditional writes", () => describeMissingConditions(contract))
  })
}
