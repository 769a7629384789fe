import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Files whose contents are particular to a run: the log, and the log of requests, which has latencies. */
const LOGS: ReadonlySet<string> = new Set(["results/evaluation.log", "results/requests.log"])

/**
 * Reads the results in a folder by file, without what is particular to a run: ids, times, latencies and the logs. The reference page about results
 * lists the same.
 */
export function comparableResults(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const part of ["config", "results"]) {
    for (const name of readdirSync(join(folder, part), { recursive: true, encoding: "utf8" }).toSorted()) {
      const path = `${part}/${name}`
      if (!LOGS.has(path)) found[path] = withoutParticulars(readFileSync(join(folder, path), "utf8"))
    }
  }
  return found
}

function withoutParticulars(text: string): string {
  return text
    .replaceAll(/\b(eval|evaluation_result)-[0-9a-f]{32}\b/g, "$1-ID")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "MINUTE")
    .replaceAll(/"latency_ms": ?[\d.]+/g, '"latency_ms":LATENCY')
}
