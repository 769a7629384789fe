import { REQUIREMENTS, type Requirement } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { citations } from "./citations.ts"
import { lookedAt } from "./looked-at.ts"
import { repositoryFiles } from "./repository-files.ts"
import { requirementFaults } from "./requirement-faults.ts"
import { parseSource, readSource } from "./source-file.ts"
import { sourceKind } from "./source-kind.ts"

const OWN_FILE = "tooling/checks/src/requirements.test.ts"
const cited = lookedAt(
  "citation",
  repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/src\/.*\.tsx?$/)
    .filter((path) => sourceKind(path) !== "source" && path !== OWN_FILE)
    .flatMap((path) => citations(readSource(path))),
)

describe("citations", () => {
  it("are the texts that tests give to verifies()", () => {
    const text = `
      it("does this", verifies("a.one"), () => {})
      it.each([1, 2])("does %d", { ...verifies("a.two", "a.three-x"), timeout: 5 }, () => {})
      it("reads [a.b]", () => verify("a.four"))`
    expect(citations(parseSource("a.test.ts", text))).toEqual(["a.one", "a.two", "a.three-x"])
  })

  it("disagree with the list where a rule is untested, cited too early, or not there", () => {
    const rest = { text: "T.", source: "s" }
    const list: Requirement[] = [
      { id: "a.tested", status: "built", ...rest },
      { id: "a.untested", status: "built", ...rest },
      { id: "a.early", status: "not-built", ...rest },
    ]
    expect(requirementFaults(list, ["a.tested", "a.early", "a.ghost"])).toEqual({
      untested: ["a.untested  T. (s)"],
      early: ["a.early  T. (s)"],
      ghosts: ["a.ghost"],
    })
  })
})

describe("the requirements", () => {
  const faults = requirementFaults(lookedAt("requirement", REQUIREMENTS), cited)

  it("have ids of dotted words, each used once", () => {
    const ids = REQUIREMENTS.map(({ id }) => id)
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it("are whole sentences", () => {
    expect(REQUIREMENTS.filter(({ text }) => !text.endsWith(".")).map(({ id }) => id)).toEqual([])
  })

  it("are known wherever a test cites one", () => {
    expect(faults.ghosts).toEqual([])
  })

  it("are not cited while they are not built", () => {
    expect(faults.early).toEqual([])
  })

  it("are each proved by a test once they are built", () => {
    expect(faults.untested).toEqual([])
  })
})
