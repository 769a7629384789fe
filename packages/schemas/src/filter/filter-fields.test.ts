import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatFilterField, splitFieldName } from "./filter-fields.ts"

describe("splitFieldName", () => {
  it.each([
    ["name", ["name"]],
    ["metadata.key", ["metadata", "key"]],
    ['metadata["key"]', ["metadata", "key"]],
    ['custom_fields["a.b"].c["d\\"]"]', ["custom_fields", "a.b", "c", 'd"]']],
    ["custom_fields.x y", ["custom_fields", "x y"]],
    ['custom_fields[""]', ["custom_fields", ""]],
    ["custom_fields.$eq", ["custom_fields", "$eq"]],
  ])("splits %s", verifies("filter.text.dotted"), (name, keys) => {
    expect(splitFieldName(name)).toEqual(keys)
  })

  it.each(["", ".", ".a", "a.", "a..b", "a[", "a[b]", 'a["b"', 'a["b]', 'a["b"]c', '["a"]', 'a.["b"]', 'a["\\q"]'])(
    "does not split %j",
    (name) => {
      expect(splitFieldName(name)).toBeUndefined()
    },
  )

  it("splits what formatFilterField joins", () => {
    const keys = fc.array(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })).filter((key) => !key.includes("\0")))
    fc.assert(
      fc.property(keys, (path) => {
        expect(splitFieldName(formatFilterField({ column: "custom_fields", path }))).toEqual(["custom_fields", ...path])
      }),
    )
  })
})
