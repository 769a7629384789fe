import { describe, expect, it } from "vitest"
import { testSchemas } from "../testing/test-schemas.ts"
import { chooseSchemas } from "./given-schemas.ts"

describe("the schemas that a user gives", () => {
  const stored = { schema: { type: "object" } }
  const given = (value: unknown) => ({ name: "--metadata 'm.json'", value })
  const choose = (options: Parameters<typeof chooseSchemas>[0]) => chooseSchemas(options, { schemas: testSchemas() })

  it("replace those that are stored, and a schema can use the definitions of the metadata", async () => {
    expect(await choose({ stored })).toBe(stored)
    const metadata = given({ schema_defs: { row: { type: "object" } }, enforce: "reject" })
    expect(await choose({ stored, metadata })).toEqual({ schema_defs: { row: { type: "object" } } })
    const schema = given({ $ref: "#/schema_defs/row" })
    expect(await choose({ metadata, schema })).toEqual({
      schema: { $ref: "#/schema_defs/row" },
      schema_defs: { row: { type: "object" } },
    })
  })

  it.each([
    [[], "it does not contain a JSON object"],
    [{ dataset: {} }, "give only the value of its key 'dataset'"],
    [{ other: 1 }, "/other: Unexpected property; the keys are schema, schema_defs, schemas_by_path and csv"],
    [{ schema: { type: "strange" } }, /^--metadata 'm\.json' can't be used: schema/],
  ])("%j is refused by name", async (value, message) => {
    const text = typeof message === "string" ? `--metadata 'm.json' can't be used: ${message}.` : message
    await expect(choose({ metadata: given(value) })).rejects.toThrow(text)
  })
})
