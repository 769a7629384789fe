import { expect, it } from "vitest"
import { addBit, addBits, countUnion, createBitSet, hasBit, removeBit, shareOthers } from "./bit-set.ts"

const setOf = (...bits: readonly number[]) => {
  const set = createBitSet(100)
  for (const bit of bits) addBit(set, bit)
  return set
}

it("a set of numbers in words has what was added, and counts each number once", () => {
  const set = setOf(0, 31, 32, 99)
  expect([0, 31, 32, 99, 1, 63].map((bit) => hasBit(set, bit))).toEqual([true, true, true, true, false, false])
  removeBit(set, 31)
  addBits(set, setOf(63, 99))
  expect(countUnion(set, setOf(31, 99), setOf(5))).toBe(6)
})

it("two sets share others only if they share a number besides two", () => {
  expect(shareOthers(setOf(31, 64), setOf(31, 64), [31, 64])).toBe(false)
  expect(shareOthers(setOf(31, 64, 63), setOf(31, 63), [31, 64])).toBe(true)
  expect(shareOthers(setOf(1), setOf(2), [31, 64])).toBe(false)
})
