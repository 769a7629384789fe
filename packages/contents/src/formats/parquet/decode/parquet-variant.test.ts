import { describe, expect, it } from "vitest"
import { readVariant, type VariantScalars } from "./parquet-variant.ts"

const SCALARS: VariantScalars = {
  plain: (value) => value,
  decimal: (unscaled, scale) => `${unscaled}e-${scale}`,
  time: (time, digits) => `${time}/${digits}`,
  date: (days) => `day ${days}`,
  timeOfDay: (time) => `${time} of the day`,
}
/** The names a and b. */
const METADATA = Buffer.from("01020001026162", "hex")
const read = (hex: string) => readVariant(METADATA, Buffer.from(hex, "hex"), SCALARS)

describe("the binary form of a variant", () => {
  it.each<[string, string, unknown]>([
    ["a short text", "096869", "hi"],
    ["a decimal of 16 bytes", `2803${"ff".repeat(16)}`, "-1e-3"],
    ["an object with an array", "0202000100020e0c0703020002040c010c02", { a: 7, b: [1, 2] }],
    ["a time of day", "44ff00000000000000", "255 of the day"],
    ["null in an array", "0301000100", [null]],
  ])("is read: %s", (_what, hex, value) => {
    expect(read(hex)).toEqual(value)
  })

  it.each([
    ["that ends early", "18ff", "a variant whose bytes are not valid"],
    ["with a field without a name", "020105000100", "a variant with a field that has no name"],
    ["of an unknown type", "7c", "a variant of the type 31"],
  ])("is a fault %s", (_what, hex, message) => {
    expect(() => read(hex)).toThrow(message)
  })
})
