import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { describe, expect, it } from "vitest"
import { verifies } from "@assay/testkit"
import { AnyName, formatTimestamp } from "./field-types.ts"

it.each(["a", "", "a\nb", "\r", "\u2028"])("a record of any names checks the value of %j", (name) => {
  const schema = Type.Record(AnyName, Type.Number())
  expect(Value.Check(schema, { [name]: 1 })).toBe(true)
  expect(Value.Check(schema, { [name]: "no number" })).toBe(false)
})

describe("formatTimestamp", () => {
  it("writes UTC with milliseconds and Z", verifies("wire.timestamps"), () => {
    expect(formatTimestamp(Date.UTC(2026, 10, 20, 8, 14, 3, 120))).toBe("2026-11-20T08:14:03.120Z")
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000Z")
  })
})
