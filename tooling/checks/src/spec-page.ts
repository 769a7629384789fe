import type { Requirement } from "@assay/testkit"
import { requirementFaults } from "./faults/requirement-faults.ts"

const HEAD = `# The contract

<!-- Written from the requirements and the tests that cite them by tooling/checks/src/write-spec-page.ts. -->

These pages state what Assay promises. Each testable sentence is a requirement with an id in
[the testkit](../../packages/testkit/src/requirements/index.ts). A test cites the ids that it proves:

\`\`\`ts
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { parseFilePath } from "@assay/storage"

it("refuses a path of 1,025 bytes", verifies("files.path.length"), () => {
  expect(() => parseFilePath("x/".repeat(512) + "y")).toThrow("1024 bytes")
})
\`\`\`

To find the proof of a sentence, search the repository for its id. A requirement holds if at least one test cites it.

| Page | Requirements | Proven by tests |
| --- | ---: | ---: |
`

/** Formats the index of the contract: its pages, how many of their requirements tests prove, and those that none proves. */
export function formatSpecPage(requirements: readonly Requirement[], cited: readonly string[]): string {
  const unproven = new Set(requirementFaults(requirements, cited).unproven)
  const pages = Map.groupBy(requirements, ({ source }) => source.split("#")[0] ?? source)
  const rows = [...pages].map(([page, rules]) => {
    const proven = rules.filter((rule) => !unproven.has(rule)).length
    return `| [${page}](${page}) | ${rules.length} | ${proven} |\n`
  })
  const open = [...unproven].map(({ id, text, source }) => `- \`${id}\`: ${text} ([${source}](${source}))\n`)
  const rest = open.length === 0 ? "" : `\n## Not proven yet\n\n${open.join("")}`
  return HEAD + rows.join("") + rest
}
