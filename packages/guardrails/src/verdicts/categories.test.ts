import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { AEGIS, LLAMA_GUARD } from "./data/category-tables.ts"
import { categoryOf, equivalentCategories } from "./categories.ts"

describe("categories", () => {
  it("keep their family, since one code means different things", verifies("verdict.category-family"), () => {
    expect(categoryOf("S14", "user-safety-json")).toMatchObject({
      code: "S14",
      name: "Other",
      family: "user-safety-json",
    })
    expect(categoryOf("S14", "llama-guard")).toMatchObject({ code: "S14", name: "Code Interpreter Abuse" })
    expect([Object.keys(AEGIS), Object.keys(LLAMA_GUARD)].map((codes) => codes.length)).toEqual([23, 14])
  })

  it("are kept as written, with the code at their beginning", () => {
    expect(categoryOf("S11: Sexual Content", "user-safety-json")).toEqual({
      raw: "S11: Sexual Content",
      code: "S11",
      name: "Sexual Content",
      family: "user-safety-json",
    })
    expect(categoryOf("pii/privacy", "user-safety-lines")).toMatchObject({ raw: "pii/privacy", code: "S9" })
    expect(categoryOf("Hate", "user-safety-lines")).toEqual({ raw: "Hate", family: "user-safety-lines" })
  })

  it("have equivalents in other families", verifies("verdict.category-family"), () => {
    const [privacy] = equivalentCategories(categoryOf("S9", "user-safety-json"), "llama-guard")
    expect(privacy).toMatchObject({ code: "S7", name: "Privacy", family: "llama-guard" })
    expect(equivalentCategories(categoryOf("PII", "qwen3guard"), "user-safety-json")[0]?.name).toBe("PII/Privacy")
    expect(equivalentCategories(categoryOf("S9", "user-safety-json"), "wildguard")).toEqual([])
  })
})
