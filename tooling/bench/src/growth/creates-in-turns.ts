import { startAssay } from "../assay-server.ts"
import { atLeast, formatCount, type Measurement } from "../bench.ts"
import { createFilesets } from "../filesets/create-filesets.ts"
import { resultsInTurns } from "../measure/in-turns.ts"
import { median } from "../measure/median.ts"

const CREATED = 400
/** The disk's time for a sync varies more than what is measured, so that few turns say nothing. */
const ROUNDS = 15
const BAR = 0.9

/** Compares creates beside many filesets with those beside few. Both servers run, and create in turns. */
export async function createsInTurns(
  many: { readonly dataFolder: string; readonly count: number },
  few: { readonly dataFolder: string; readonly count: number },
): Promise<Measurement> {
  const servers = await Promise.all([many, few].map(({ dataFolder }) => startAssay(dataFolder)))
  try {
    const works = servers.map(
      ({ url }) =>
        (round: number) =>
          createFilesets(url, `turn-${round}`, CREATED),
    )
    const [beside = [], alone = []] = await resultsInTurns(works, ROUNDS)
    const rate = (results: typeof beside) => median(results.map(({ perSecond }) => perSecond))
    const slow = (results: typeof beside) => median(results.map(({ p99Ms }) => p99Ms)).toFixed(1)
    const detail = `${rate(beside).toFixed(0)}/s to ${rate(alone).toFixed(0)}/s, slowest of 100: ${slow(beside)} and ${slow(alone)} ms`
    const does = `Filesets that 8 clients create, beside ${formatCount(many.count)} and ${formatCount(few.count)} others in turns, durable.`
    return atLeast({ work: "creates beside many filesets", does }, rate(beside) / rate(alone), BAR, detail)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}
