import type { ConditionEntry, ConditionSignals } from "@assay/schemas"

const HEAD = `# Conditions

<!-- Written from the catalogue of conditions by tooling/checks/src/write-condition-page.ts: change the catalogue, then run it. -->

A condition is a known way in which an evaluation goes wrong. \`GET /v1/evaluation/jobs/{id}/explain\` and \`assay eval explain\` list the
conditions of a job: \`{code, title, message, evidence, remedy, count, first_seen, last_seen}\`. \`message\` names what was asked and the number of
affected rows, \`evidence\` has up to five lines or answers that show it, without secrets, and \`remedy\` says what to do.

They are recognised from certain signals first: the code of an error, a status, a TLS code, the code of a hub or an object store. The words of a log
come last. The same codes are returned as errors; the page of [errors](errors.md) has their HTTP status.
`

export interface ConditionCatalogue {
  readonly conditions: Readonly<Record<string, ConditionEntry>>
  readonly signals: Readonly<Record<string, ConditionSignals>>
}

/** Formats the documentation page of conditions: meaning, signals and remedy of each. */
export function formatConditionPage({ conditions, signals }: ConditionCatalogue): string {
  const sections = Object.entries(conditions).map(([code, entry]) => formatCondition(code, entry, signals[code]))
  return [HEAD, ...sections].join("\n")
}

function formatCondition(
  code: string,
  { title, meaning, remedy, retry }: ConditionEntry,
  { shows, lines }: ConditionSignals = { shows: [], lines: [] },
): string {
  const again = retry === "later" ? "The same can succeed later." : "Asking again without a change does not help."
  const logs = lines.length === 0 ? "" : `\nIn a log:\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`
  return [
    `## \`${code}\`\n`,
    `**${title}.** ${meaning}\n`,
    `How it shows:\n\n${shows.map((sign) => `- ${sign}`).join("\n")}\n${logs}`,
    `What to do: ${remedy} ${again}\n`,
  ].join("\n")
}
