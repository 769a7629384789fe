import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createSchemaChooser } from "./choose-schema.ts"
import { compilePathGlob } from "./path-glob.ts"

describe("matching a glob", () => {
  it.each([
    ["*.jsonl", "a.jsonl", true],
    ["*.jsonl", "a/b.jsonl", false],
    ["**/*.jsonl", "b.jsonl", true],
    ["**/*.jsonl", "a/b/c.jsonl", true],
    ["**", "a/b", true],
    ["a/**", "a/b/c", true],
    ["a/**", "ab", false],
    ["a/**/z", "a/z", true],
    ["a/**/m/**/z", "a/b/m/c/d/z", true],
    ["a/**/m/**/z", "a/b/c/z", false],
    ["a**b", "a/b", false],
    ["a**b", "axxb", true],
    ["?.csv", "\u{1f600}.csv", true],
    ["?.csv", ".csv", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[^a-c]x", "dx", true],
    ["[]]x", "]x", true],
    ["[-a]", "-", true],
    ["a[1", "a[1", true],
    ["part-*-of-*.json", "part-1-of-2.json", true],
    ["a.b", "axb", false],
    ["", "a", false],
  ])("%j against %j gives %j", (glob, path, matches) => {
    expect(compilePathGlob(glob)(path)).toBe(matches)
  })

  it("takes time proportional to both lengths", () => {
    expect(compilePathGlob("*a".repeat(200))(`${"a".repeat(255)}b`)).toBe(false)
    expect(compilePathGlob(`${"**/a/".repeat(100)}b`)("a/".repeat(400))).toBe(false)
  })
})

describe("the schema of a path", () => {
  const choose = createSchemaChooser({
    schema: { title: "default" },
    schema_defs: { row: { title: "row" } },
    schemas_by_path: {
      "a/b.jsonl": "row",
      "**/*": { title: "any" },
      "a/*.jsonl": { title: "in a" },
      "a/?.jsonl": { title: "one letter in a" },
      "c[1].jsonl": { title: "exactly" },
      "x/y": "gone",
    },
  })

  it.each([
    ["a/b.jsonl", "row", "row"],
    ["a/c.jsonl", "/schemas_by_path/a~1*.jsonl", "in a"],
    ["a/cc.jsonl", "/schemas_by_path/a~1*.jsonl", "in a"],
    ["c[1].jsonl", "/schemas_by_path/c[1].jsonl", "exactly"],
    ["b.jsonl", "/schemas_by_path/**~1*", "any"],
    ["x/y", undefined, undefined],
  ])(
    "%s is that of the exact path, or else of the longest glob",
    verifies("contents.schemas.by-path", "brief.metadata.row-schema"),
    (path, label, title) => {
      expect([choose(path)?.label, choose(path)?.schema["title"]]).toEqual([label, title])
    },
  )

  it("is the default schema if no key matches, or none if there is no default", () => {
    const byPath = { "*.csv": {} }
    expect(createSchemaChooser({ schema: {}, schemas_by_path: byPath })("a.jsonl")?.label).toBe("/schema")
    expect(createSchemaChooser({ schemas_by_path: byPath })("a.jsonl")).toBeUndefined()
  })
})
