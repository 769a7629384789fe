import { STATUS_CODES } from "node:http"
import type { ErrorEntry } from "@assay/schemas"

const HEAD = `# Errors

<!-- Written from the error catalogue by tooling/checks/src/write-error-page.ts: change the catalogue, then run it. -->

Every failed request except a 422 returns \`{"detail", "code"}\`: \`detail\` is one sentence that says what was wrong and what to do, and \`code\` is one
of the codes below. A 422 returns \`{"detail": [{"loc", "msg", "type", "input", "ctx"}]}\`. The command line prints the same codes; with \`--json\` as
\`{"error": {"code", "message", "remedy"}}\`.

Each entry says what happened, what to do, and whether the same request can succeed later without changes.
`

/** Formats the documentation page of a catalogue: codes by status, each with meaning and remedy. */
export function formatErrorPage(catalogue: Readonly<Record<string, ErrorEntry>>): string {
  const byStatus = Map.groupBy(Object.entries(catalogue), ([, entry]) => entry.status)
  const sections = [...byStatus].toSorted(([a], [b]) => a - b).map(formatStatus)
  return [HEAD, ...sections].join("\n")
}

function formatStatus([status, entries]: readonly [number, readonly (readonly [string, ErrorEntry])[]]): string {
  const parts = entries.map(
    ([code, { meaning, remedy, retry }]) => `### \`${code}\`\n\n${meaning} ${remedy} Retry: ${retry}.\n`,
  )
  return [`## ${status} ${STATUS_CODES[status] ?? ""}`.trim() + "\n", ...parts].join("\n")
}
