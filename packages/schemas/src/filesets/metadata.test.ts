import { Value } from "@sinclair/typebox/value"
import { describe, expect, it } from "vitest"
import { DatasetMetadata } from "./metadata.ts"

describe("dataset metadata", () => {
  it.each([
    [{}, true],
    [{ schema: "row", schema_defs: { row: {} }, schemas_by_path: { "**/*.jsonl": "row", "a.csv": {} } }, true],
    [{ schema: 1 }, false],
    [{ schema_defs: { row: "row" } }, false],
    [{ schemas: {} }, false],
  ])("%j is valid: %j", (metadata, isGood) => {
    expect(Value.Check(DatasetMetadata, metadata)).toBe(isGood)
  })

  it("can set what happens to uploads with invalid rows, and has no default for it", () => {
    expect(DatasetMetadata.properties.enforce).toMatchObject({ enum: ["reject", "warn", "off"] })
    expect(DatasetMetadata.properties.enforce).not.toHaveProperty("default")
  })
})
