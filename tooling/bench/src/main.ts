// Usage: npm run bench [-- NAME… --up-to 100000 --section TITLE]. Runs all benches without a name, and then writes RESULTS.md.
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Bench } from "./bench.ts"
import { commandLine } from "./benches/command-line.ts"
import { consolePages } from "./benches/console.ts"
import { contents } from "./benches/contents.ts"
import { decide } from "./benches/decide.ts"
import { evaluate } from "./benches/evaluate.ts"
import { growth } from "./benches/growth.ts"
import { hubSnapshot } from "./benches/hub-snapshot.ts"
import { judge } from "./benches/judge.ts"
import { largeFiles } from "./benches/large-files.ts"
import { listFilesets } from "./benches/list-filesets.ts"
import { metrics } from "./benches/metrics.ts"
import { remoteFiles } from "./benches/remote-files.ts"
import { s3Door } from "./benches/s3.ts"
import { smallFiles } from "./benches/small-files.ts"
import { xetDoor } from "./benches/xet.ts"
import { formatResults } from "./format-results.ts"
import { machineFacts } from "./machine-facts.ts"
import { runBenches } from "./run-benches.ts"

const BENCHES: readonly Bench[] = [
  listFilesets,
  smallFiles,
  largeFiles,
  s3Door,
  xetDoor,
  remoteFiles,
  hubSnapshot,
  commandLine,
  contents,
  judge,
  evaluate,
  metrics,
  decide,
  consolePages,
  growth,
]
const root = fileURLToPath(new URL("..", import.meta.url))
const log = (line: string) => process.stderr.write(`${line}\n`)

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    "up-to": { type: "string", default: "1000000" },
    // Sections of `decide`: the page keeps the figures of the others.
    section: { type: "string", multiple: true, default: [] },
  },
})
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name))
const upTo = Number(values["up-to"])
if (unknown.length > 0 || !(upTo >= 1000)) {
  const names = BENCHES.map(({ name }) => name).join(", ")
  log(unknown.length > 0 ? `Unknown bench '${unknown.join(" ")}'. Benches: ${names}.` : "--up-to is at least 1000.")
  process.exit(2)
}

// Servers of benches end with this process, however it ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

const chosen = wanted.length === 0 ? BENCHES : BENCHES.filter(({ name }) => wanted.includes(name))
const results = await runBenches(chosen, { home: join(root, ".cache", "bench"), upTo, sections: values.section, log })
const page = formatResults(machineFacts(), new Date(), results)
if (wanted.length === 0) await writeFile(join(root, "RESULTS.md"), page)
else process.stdout.write(page)
const passed = results.every(({ measurements }) => measurements.every((measurement) => measurement.passed !== false))
process.exit(passed ? 0 : 1)
