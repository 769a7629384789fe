import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Bench } from "../bench.ts"
import { comparisons } from "../decide/comparisons.ts"
import { correctedMeans } from "../decide/corrected-means.ts"
import { certificates } from "../decide/certificates.ts"
import { earlyGates } from "../decide/early-gates.ts"
import { gatesOfGroups } from "../decide/gates-of-groups.ts"
import { judgeReports } from "../decide/judge-reports.ts"
import { meanIntervals } from "../decide/mean-intervals.ts"
import { releases } from "../decide/releases.ts"
import type { SimulatedSection } from "../decide/guarantee-section.ts"
import { formatGuarantees } from "../decide/format-guarantees.ts"
import { slices } from "../decide/slices.ts"
import { splits } from "../decide/splits.ts"

const SECTIONS = [
  correctedMeans,
  judgeReports,
  earlyGates,
  gatesOfGroups,
  meanIntervals,
  comparisons,
  releases,
  slices,
  splits,
  certificates,
]
const PAGE = fileURLToPath(new URL("../../../../docs/reference/guarantees.md", import.meta.url))

/**
 * Simulates what decisions promise, and writes the page of guarantees. The seeds are fixed, so the page changes only if a decision
 * does.
 */
export const decide: Bench = {
  name: "decide",
  async run({ part }) {
    const simulated: SimulatedSection[] = []
    for (const { title, method, simulate } of SECTIONS) {
      await part(title, async () => {
        const measurements = await simulate()
        simulated.push({ title, method, measurements })
        return measurements
      })
    }
    // A section that failed has no figures, and the page keeps those that it has.
    if (simulated.length === SECTIONS.length) await writeFile(PAGE, formatGuarantees(simulated))
  },
}
