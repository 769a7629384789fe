import { verifies } from "@assay/testkit"
import { Value } from "@sinclair/typebox/value"
import { describe, expect, it } from "vitest"
import { FilesetName } from "./fileset.ts"
import { DatasetMetadata } from "./metadata.ts"

const pattern = new RegExp(FilesetName.pattern ?? "", "u")

describe("FilesetName", () => {
  it.each(["a", "Reviews_2025.v1-final", "...", ".a", "a.", "-", "_", "5"])(
    "accepts %s",
    verifies("filesets.create.name"),
    (name) => {
      expect(pattern.test(name)).toBe(true)
    },
  )

  it.each(["", ".", "..", "a b", "a/b", "a#b", "a\\b", "ä", "a%", "a\n", "..\n"])(
    "refuses %j",
    verifies("filesets.create.name"),
    (name) => {
      expect(pattern.test(name)).toBe(false)
    },
  )

  it("has 1 to 255 characters", verifies("filesets.create.name"), () => {
    expect(FilesetName).toMatchObject({ minLength: 1, maxLength: 255 })
  })
})

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
