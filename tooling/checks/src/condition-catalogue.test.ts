import { CONDITION_SIGNALS, CONDITIONS, ERROR_CATALOGUE } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatConditionPage } from "./condition-page.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { readText } from "./reading/repository.ts"

const codes = lookedAt("condition", Object.keys(CONDITIONS))

describe("the catalogue of conditions", () => {
  it(
    "is what docs/reference/conditions.md shows; if not, run `node tooling/checks/src/write-condition-page.ts`",
    verifies("condition.catalogue"),
    () => {
      expect(readText("docs/reference/conditions.md")).toBe(
        formatConditionPage({ conditions: CONDITIONS, signals: CONDITION_SIGNALS }),
      )
    },
  )

  it("has signals for each condition", () => {
    const silent = codes.filter((code) => CONDITION_SIGNALS[code as keyof typeof CONDITIONS].shows.length === 0)
    expect(silent).toEqual([])
  })

  it("has only codes of the error catalogue", () => {
    expect(codes.filter((code) => !(code in ERROR_CATALOGUE))).toEqual([])
  })

  it("is formatted with meaning, signals and remedy", () => {
    const entry = { title: "It rains", meaning: "Water falls.", remedy: "Wait.", status: 502, retry: "later" } as const
    const page = formatConditionPage({
      conditions: { rain: entry },
      signals: { rain: { shows: ["Wet feet."], lines: ["drip"] } },
    })
    expect(page).toContain("## `rain`\n\n**It rains.** Water falls.\n\nHow it shows:\n\n- Wet feet.\n")
    expect(page).toContain("```text\ndrip\n```\n\nWhat to do: Wait. The same can succeed later.\n")
  })
})
