import { REQUIREMENTS, type Requirement } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { citations } from "./faults/citations.ts"
import { citedRequirements } from "./faults/cited-requirements.ts"
import { anchors } from "./reading/links.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { readText } from "./reading/repository.ts"
import { requirementFaults } from "./faults/requirement-faults.ts"
import { parseSource } from "./reading/source-file.ts"
import { formatSpecPage } from "./spec-page.ts"

const cited = citedRequirements()

describe("citations", () => {
  it("are the texts that tests give to verifies()", () => {
    const text = `
      it("does this", verifies("a.one"), () => {})
      it.each([1, 2])("does %d", { ...verifies("a.two", "a.three-x"), timeout: 5 }, () => {})
      it("reads [a.b]", () => verify("a.four"))`
    expect(citations(parseSource("a.test.ts", text))).toEqual(["a.one", "a.two", "a.three-x"])
  })

  it("show which requirements are unproven, and which ids are unknown", () => {
    const list: Requirement[] = ["a.proven", "a.open"].map((id) => ({ id, text: "T.", source: "s.md#t" }))
    expect(requirementFaults(list, ["a.proven", "a.ghost"])).toEqual({ unproven: [list[1]], unknown: ["a.ghost"] })
  })
})

describe("the requirements", () => {
  const requirements = lookedAt("requirement", REQUIREMENTS)

  it("have ids of dotted words, each used once", () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it("are whole sentences", () => {
    expect(requirements.filter(({ text }) => !text.endsWith(".")).map(({ id }) => id)).toEqual([])
  })

  it("each name a page and a heading of docs/spec", () => {
    const locations = [...new Set(requirements.map(({ source }) => source))]
    const missing = locations.filter((location) => {
      const [page = "", anchor = ""] = location.split("#")
      return !anchors(readText(`docs/spec/${page}`)).includes(anchor)
    })
    expect(missing).toEqual([])
  })

  it("contain every id that a test cites", () => {
    expect(requirementFaults(requirements, cited).unknown).toEqual([])
  })

  it("are counted on the index page as the tests prove them", () => {
    const page = formatSpecPage(requirements, cited)
    expect(readText("docs/spec/README.md").replaceAll(/ +|-+/g, ""), "run write-spec-page.ts").toBe(
      page.replaceAll(/ +|-+/g, ""),
    )
  })
})
