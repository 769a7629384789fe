import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { messageOf } from "@assay/schemas"
import type { Bench, Measurement } from "./bench.ts"

export interface BenchResults {
  readonly bench: string
  readonly measurements: readonly Measurement[]
}

interface Options {
  /** A folder for the files of the benches. Each bench gets an empty one in it, which is removed at its end. */
  readonly home: string
  readonly upTo: number
  readonly sections: readonly string[]
  readonly log: (line: string) => void
}

/** Runs benches one after the other. A part that fails becomes a row that did not pass. */
export async function runBenches(benches: readonly Bench[], options: Options): Promise<readonly BenchResults[]> {
  const results: BenchResults[] = []
  for (const bench of benches) results.push({ bench: bench.name, measurements: await runBench(bench, options) })
  return results
}

async function runBench(bench: Bench, { home, upTo, sections, log }: Options): Promise<readonly Measurement[]> {
  const started = performance.now()
  const elapsed = () => `${Math.round((performance.now() - started) / 1000)} s`
  const measurements: Measurement[] = []
  const part = async (name: string, measure: () => Promise<readonly Measurement[]>) => {
    log(`${bench.name}: ${name} (after ${elapsed()})`)
    const found = await measure().catch((error: unknown) => [failure(`${bench.name}: ${name}`, error)])
    for (const { work, value, bar, passed } of found) {
      log(`  ${passed === false ? "✗" : " "} ${work}: ${value}, bar ${bar}`)
    }
    measurements.push(...found)
  }
  const folder = join(home, bench.name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await bench.run({ folder, upTo, sections, log, part }).catch((error: unknown) => {
    log(`✗ ${bench.name} stopped: ${describe(error)}`)
    measurements.push(failure(bench.name, error))
  })
  await rm(folder, { recursive: true, force: true })
  log(`${bench.name}: done after ${elapsed()}`)
  return measurements
}

function failure(work: string, error: unknown): Measurement {
  return { work, does: "Failed before it was measured.", value: describe(error), bar: "-", passed: false }
}

/** Returns the first line of a message, short enough for a table. */
function describe(error: unknown): string {
  const [line = ""] = messageOf(error).split("\n")
  return line.replaceAll("|", "/").slice(0, 200)
}
