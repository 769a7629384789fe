import { formatTable } from "../format-table.ts"
import type { SimulatedSection } from "./guarantee-section.ts"

const LAST_LINE = `
No simulation can check that the rows are like those that you want to know about, that the labels are right, and that a model behind an endpoint stays the same.
`

/** Formats the figures of all simulations as `docs/reference/guarantees.md`. */
export function formatGuarantees(sections: readonly SimulatedSection[]): string {
  return `# What decisions guarantee, and how it was checked

Statements such as "the interval contains the mean of people 95 times in 100" are checked by simulation: data with a known truth are drawn again and again, and the
statement is counted. \`npm run bench -- decide\` runs all of them with fixed seeds and writes this page. A shorter version is part of \`npm test\`.

A share of 0.05 is 5 in 100. A row without a promise is there for comparison.
${sections.map(formatSection).join("")}${LAST_LINE}`
}

/**
 * Replaces some sections of the page. The others keep their bytes.
 * @param titles those of all sections, in their order
 */
export function replaceSections(
  page: string,
  sections: readonly SimulatedSection[],
  titles: readonly string[],
): string {
  return sections.reduce((text, section) => {
    const own = text.indexOf(`\n## ${section.title}\n`)
    const later = titles.slice(titles.indexOf(section.title) + 1)
    const next = later.map((title) => text.indexOf(`\n## ${title}\n`)).find((at) => at !== -1)
    const end = next ?? text.indexOf(LAST_LINE)
    return `${text.slice(0, own === -1 ? end : own)}${formatSection(section)}${text.slice(end)}`
  }, page)
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
