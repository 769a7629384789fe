import type { Measurement } from "./bench.ts"

/** Formats the results of a whole run as the page in the repository. */
export function formatResults(machine: string, date: Date, measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ work, value, bar, passed }) => {
    const verdict = passed === undefined ? "" : passed ? "yes" : "**no**"
    return `| ${work} | ${value} | ${bar} | ${verdict} |`
  })
  return `# Results

Ratios of one run of \`npm run bench\`: each pair was measured in turns on the same machine, and the table has the medians.

Machine: ${machine}. Date: ${date.toISOString().slice(0, 10)}.

| Work | Measured | Bar | Passed |
|---|---|---|---|
${rows.join("\n")}
`
}
