// Usage: npm run bench [-- list large remote hub contents judge evaluate small cli] — all of them without a name. Writes RESULTS.md after all ran.
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { Bench, Measurement } from "./bench.ts"
import { commandLine } from "./benches/command-line.ts"
import { contents } from "./benches/contents.ts"
import { evaluate } from "./benches/evaluate.ts"
import { remoteFiles } from "./benches/remote-files.ts"
import { hubSnapshot } from "./benches/hub-snapshot.ts"
import { judge } from "./benches/judge.ts"
import { largeFiles } from "./benches/large-files.ts"
import { listFilesets } from "./benches/list-filesets.ts"
import { smallFiles } from "./benches/small-files.ts"
import { machineFacts } from "./machine-facts.ts"
import { formatResults } from "./format-results.ts"

const BENCHES: readonly Bench[] = [
  listFilesets,
  largeFiles,
  remoteFiles,
  hubSnapshot,
  contents,
  judge,
  evaluate,
  smallFiles,
  commandLine,
]
const root = fileURLToPath(new URL("..", import.meta.url))
const log = (line: string) => process.stderr.write(`${line}\n`)

const wanted = process.argv.slice(2)
const chosen = wanted.length === 0 ? BENCHES : BENCHES.filter(({ name }) => wanted.includes(name))
if (chosen.length === 0) {
  log(`Unknown bench '${wanted.join(" ")}'. Benches: ${BENCHES.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}

const measurements: Measurement[] = []
for (const bench of chosen) {
  const folder = join(root, ".cache", "bench", bench.name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  log(`running ${bench.name}`)
  const found = await bench.run({ folder, log })
  for (const { work, value, bar, passed } of found)
    log(`  ${passed === false ? "✗" : " "} ${work}: ${value}, bar ${bar}`)
  measurements.push(...found)
  await rm(folder, { recursive: true, force: true })
}
if (chosen.length === BENCHES.length)
  await writeFile(join(root, "RESULTS.md"), formatResults(machineFacts(), new Date(), measurements))
process.exitCode = measurements.some(({ passed }) => passed === false) ? 1 : 0
