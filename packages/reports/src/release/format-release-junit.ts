import type { ReleaseReport } from "@assay/schemas"
import { formatJunit, type JunitCase } from "../formats/format-junit.ts"
import { gateSentence } from "./gate-sentence.ts"

/**
 * Formats the outcome of a release policy as JUnit XML: a suite for each evaluation and a case for each gate. A gate that blocks fails if it is FAIL, and is skipped if
 * it is open; missing results are an error. Gates of advisory evaluations never fail.
 */
export function formatReleaseJunit({ evaluations }: ReleaseReport): string {
  const suites = evaluations.map(({ name, tier, state, reason = "", gates }) => {
    const isAdvisory = tier === "advisory"
    if (state === "MISSING") {
      const kind = isAdvisory ? "skipped" : "error"
      const missing: JunitCase = {
        className: name,
        name: "results",
        outcome: { kind, type: "MISSING", message: reason },
      }
      return { name, cases: [missing] }
    }
    const cases = gates.map((gate): JunitCase => {
      const one = { className: name, name: `${gate.name} ${gate.limit}` }
      if (gate.verdict === "PASS") return { ...one, details: gateSentence(gate) }
      const kind = gate.verdict === "FAIL" && !isAdvisory ? "failure" : "skipped"
      return { ...one, outcome: { kind, type: "gate", message: gateSentence(gate) } }
    })
    return { name, cases }
  })
  return formatJunit({ name: "release", suites })
}
