import { formatTable } from "../format-table.ts"
import type { SimulatedSection } from "./guarantee-section.ts"

/** Formats the figures of all simulations as `docs/reference/guarantees.md`. */
export function formatGuarantees(sections: readonly SimulatedSection[]): string {
  return `# What decisions guarantee, and how it was checked

Statements such as "the interval contains the mean of people 95 times in 100" are checked by simulation: data with a known truth are drawn again and again, and the
statement is counted. \`npm run bench -- decide\` runs all of them with fixed seeds and writes this page. A shorter version is part of \`npm test\`.

A share of 0.05 is 5 in 100. A row without a promise is there for comparison.
${sections.map(formatSection).join("")}
No simulation can check that the rows are like those that you want to know about, that the labels are right, and that a model behind an endpoint stays the same.
`
}

function formatSection({ title, method, measurements }: SimulatedSection): string {
  const rows = measurements.map(({ does, value, bar, passed }) => [
    does,
    passed === false ? `**${value}**` : value,
    bar === "-" ? "" : bar,
  ])
  return `
## ${title}

${method}

${formatTable(["What was counted", "Seen", "Promised"], rows)}`
}
