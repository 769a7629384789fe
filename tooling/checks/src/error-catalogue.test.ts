import { ERROR_CATALOGUE } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { mentionedWords, thrownCodes } from "./faults/error-codes.ts"
import { formatErrorPage } from "./error-page.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"
import { parseSource, readSource } from "./reading/source-file.ts"
import { sourceKind } from "./reading/source-kind.ts"

const CATALOGUE_FILE = "packages/schemas/src/errors/error-catalogue.ts"
const codes = Object.keys(ERROR_CATALOGUE)
const sources = repositoryFiles(/^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/)
  .filter((path) => sourceKind(path) === "source" && path !== CATALOGUE_FILE)
  .map(readSource)

describe("the error catalogue", () => {
  it("is compared with the codes that sources throw and the strings that they contain", () => {
    const source = parseSource(
      "a.ts",
      'if (isAssayError(e, "asked")) throw new AssayError("thrown", "m")\nconst codes = { "key": "value" }\nthrow new Error("other")',
    )
    expect(thrownCodes(source)).toEqual(["thrown"])
    expect(mentionedWords(source)).toEqual(["thrown", "m", "value", "other"])
  })

  it("has every code that is thrown", () => {
    const thrown = lookedAt("thrown code", sources.flatMap(thrownCodes))
    expect(thrown.filter((code) => !codes.includes(code))).toEqual([])
  })

  it("has no unused code", () => {
    const mentioned = new Set(lookedAt("word", sources.flatMap(mentionedWords)))
    expect(lookedAt("code", codes).filter((code) => !mentioned.has(code))).toEqual([])
  })

  it("says in whole sentences what happened and what to do", () => {
    const entries = Object.entries(ERROR_CATALOGUE)
    const unclear = entries.filter(
      ([, { meaning, remedy }]) => ![meaning, remedy].every((text) => /^[A-Z`].*\.$/.test(text)),
    )
    expect(unclear.map(([code]) => code)).toEqual([])
  })

  it("is what docs/reference/errors.md shows; if not, run `node tooling/checks/src/write-error-page.ts`", () => {
    expect(readText("docs/reference/errors.md")).toBe(formatErrorPage(ERROR_CATALOGUE))
  })

  it("is formatted with each code under its status", () => {
    const entry = { meaning: "A thing happened.", remedy: "Do another.", retry: "never" } as const
    const page = formatErrorPage({ late: { ...entry, status: 503 }, early: { ...entry, status: 400 } })
    expect(page.indexOf("## 400 Bad Request")).toBeLessThan(page.indexOf("## 503 Service Unavailable"))
    expect(page).toContain("### `early`\n\nA thing happened. Do another. Retry: never.\n")
  })
})
