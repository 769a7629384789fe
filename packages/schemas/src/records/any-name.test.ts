import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { expect, it } from "vitest"
import { AnyName } from "./any-name.ts"

it.each(["a", "", "a\nb", "\r", "\u2028"])("a record of any names checks what %j holds", (name) => {
  const schema = Type.Record(AnyName, Type.Number())
  expect(Value.Check(schema, { [name]: 1 })).toBe(true)
  expect(Value.Check(schema, { [name]: "no number" })).toBe(false)
})
