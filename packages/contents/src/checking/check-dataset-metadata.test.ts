import type { AssayError, DatasetMetadata } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { DIALECT_ADDRESSES } from "../schemas/compile/dialect.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { checkDatasetMetadata } from "./check-dataset-metadata.ts"

const schemas = testSchemas()

async function issuesOf(metadata: DatasetMetadata): Promise<readonly unknown[]> {
  try {
    await checkDatasetMetadata(metadata, { schemas })
    return []
  } catch (error) {
    const { code, issues } = error as AssayError
    expect(code).toBe("invalid_request")
    return issues.map(({ loc, msg, type }) => [loc.slice(3).join(" "), type, msg])
  }
}

describe("dataset metadata", () => {
  it("is accepted if it is valid", async () => {
    const row = { type: "object", properties: { id: { $ref: "#/schema_defs/id" } } }
    expect(
      await issuesOf({
        schema: "row",
        schema_defs: { row, id: { type: "integer" }, "a/b~c": { $ref: "#/schema_defs/a~1b~0c" } },
        schemas_by_path: { "train/*.jsonl": "row", "a b/ü.csv": { $ref: "#/schema_defs/id" }, "**": {} },
        enforce: "reject",
      }),
    ).toEqual([])
    expect(await issuesOf({})).toEqual([])
  })

  it("is refused with one issue for each invalid key", verifies("contents.metadata.loc"), async () => {
    const issues = await issuesOf({
      schema: "gone",
      schema_defs: { bad: { type: "nothing" } },
      schemas_by_path: { "train/*.jsonl": "toString", "/abs": {}, "a/../b": { $ref: "#/schema_defs/gone" } },
    })
    expect(issues).toEqual([
      [
        "schema_defs bad",
        "invalid_schema",
        expect.stringMatching(/^is not JSON Schema .*: '\/type' must .* "nothing"/),
      ],
      ["schema", "unknown_schema", expect.stringContaining("'gone', which is not in schema_defs")],
      ["schemas_by_path train/*.jsonl", "unknown_schema", expect.stringContaining("'toString'")],
      ["schemas_by_path /abs", "bad_path", expect.stringContaining("is not a valid file path")],
      ["schemas_by_path a/../b", "bad_path", expect.stringContaining("is not a valid file path")],
      ["schemas_by_path a/../b", "invalid_schema", "refers to 'gone', which is not in schema_defs"],
    ])
  })

  it("has issues whose path begins with the given location", async () => {
    await expect(checkDatasetMetadata({ schema: "x" }, { schemas, loc: [] })).rejects.toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ loc: ["schema"], input: "x" })] }),
    )
  })

  it.each([
    ["of an unknown draft", { $schema: "https://example.org/draft-04/schema#" }, "has the $schema"],
    ["with a reference that must be fetched", { $ref: "https://example.com/x.json" }, "nothing is fetched"],
    ["with a broken reference", { $ref: "#/$defs/x" }, "refers to '#/$defs/x', which is not in it"],
    ["with a look-ahead in a pattern", { pattern: "(?=a)b" }, "has the pattern '(?=a)b', which can't be searched"],
    ["with a back-reference in a pattern", { patternProperties: { "(a)\\1": {} } }, "can't be searched in linear time"],
    ["with asynchronous results", { $async: true }, "has the keyword $async"],
    ["that is nested too deeply", nested(300), "is nested more than 200 levels deep"],
    ["with an invalid keyword", { properties: 1 }, "is not JSON Schema 2020-12: '/properties' must be object"],
  ])("is refused for a schema %s", async (_name, schema, message) => {
    expect(await issuesOf({ schema })).toEqual([["schema", "invalid_schema", expect.stringContaining(message)]])
  })

  it("is refused for a definition of another draft than the schema that refers to it", async () => {
    const schema_defs = { old: { $schema: DIALECT_ADDRESSES["draft-07"] } }
    expect(await issuesOf({ schema_defs })).toEqual([])
    expect(await issuesOf({ schema: { $ref: "#/schema_defs/old" }, schema_defs })).toEqual([
      ["schema", "invalid_schema", expect.stringContaining("refers to 'old', which is of draft-07")],
    ])
  })
})

function nested(depth: number): Readonly<Record<string, unknown>> {
  return depth === 0 ? {} : { not: nested(depth - 1) }
}
