import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Bench } from "../bench.ts"
import { arenas } from "../decide/arenas.ts"
import { correctedComparisons } from "../decide/corrected-comparisons.ts"
import { comparisons } from "../decide/comparisons.ts"
import { correctedMeans } from "../decide/corrected-means.ts"
import { certificates } from "../decide/certificates.ts"
import { earlyGates } from "../decide/early-gates.ts"
import { gatesOfGroups } from "../decide/gates-of-groups.ts"
import { judgeReports } from "../decide/judge-reports.ts"
import { meanIntervals } from "../decide/mean-intervals.ts"
import { releaseRuns } from "../decide/release-runs.ts"
import { releases } from "../decide/releases.ts"
import type { SimulatedSection } from "../decide/guarantee-section.ts"
import { formatGuarantees, replaceSections } from "../decide/format-guarantees.ts"
import { slices } from "../decide/slices.ts"
import { splits } from "../decide/splits.ts"

const SECTIONS = [
  correctedMeans,
  judgeReports,
  earlyGates,
  gatesOfGroups,
  meanIntervals,
  comparisons,
  correctedComparisons,
  releases,
  releaseRuns,
  slices,
  splits,
  certificates,
  arenas,
]
const PAGE = fileURLToPath(new URL("../../../../docs/reference/guarantees.md", import.meta.url))

/**
 * Simulates what decisions promise, and writes the page of guarantees. The seeds are fixed, so the page changes only if a decision
 * does.
 */
export const decide: Bench = {
  name: "decide",
  async run({ part, sections }) {
    const simulated: SimulatedSection[] = []
    const chosen = SECTIONS.filter(({ title }) => sections.length === 0 || sections.includes(title))
    if (chosen.length === 0) {
      throw new Error(
        `There is no section '${sections.join()}'; there are ${SECTIONS.map(({ title }) => title).join(", ")}.`,
      )
    }
    for (const { title, method, simulate } of chosen) {
      await part(title, async () => {
        const measurements = await simulate()
        simulated.push({ title, method, measurements })
        return measurements
      })
    }
    // A section that failed has no figures, and the page keeps those that it has.
    if (simulated.length === SECTIONS.length) return writeFile(PAGE, formatGuarantees(simulated))
    const titles = SECTIONS.map(({ title }) => title)
    if (simulated.length === chosen.length) {
      await writeFile(PAGE, replaceSections(await readFile(PAGE, "utf8"), simulated, titles))
    }
  },
}
