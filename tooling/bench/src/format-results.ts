import { formatTable } from "./format-table.ts"
import type { BenchResults } from "./run-benches.ts"

/** Formats the results of a whole run as the page in the repository. */
export function formatResults(machine: string, date: Date, results: readonly BenchResults[]): string {
  return `# Results

Ratios of one run of \`npm run bench\`, and bounds on memory. The two sides of each pair ran in turns on the same machine, and the table has
the medians. No bar is an absolute speed, so that a faster machine passes no bar that a slower one fails. The server under test has its
default settings, and writes its log at the default level.

Machine: ${machine}. Date: ${date.toISOString().slice(0, 10)}.
${results.map(formatBench).join("")}`
}

function formatBench({ bench, measurements }: BenchResults): string {
  const rows = measurements.map(({ work, does, value, bar, passed }) => {
    const verdict = passed === undefined ? "" : passed ? "yes" : "**no**"
    return [work, does, value, bar, verdict]
  })
  return `
## ${bench}

${formatTable(["Work", "What it does", "Measured", "Bar", "Passed"], rows)}`
}
