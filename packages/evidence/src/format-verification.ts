import { formatInteger } from "@assay/reports"
import { printable } from "@assay/schemas"
import type { Difference } from "./sides/differences.ts"
import type { Verification } from "./verify/verify-bundle.ts"

/** Differences that a terminal shows. */
const SHOWN = 20
const MAX_VALUE = 120

export interface FormatOptions {
  /** The version of this program. */
  readonly assay: string
}

/** Formats what a verification found: who signed, what was computed again, and the verdict, or exactly what differs. */
export function formatVerification(found: Verification, { assay }: FormatOptions): string {
  const { differences, differences_total: total } = found
  const more = total - Math.min(total, SHOWN)
  return [
    `${headline(found)}\n`,
    `signed by   ${signerText(found)}`,
    ...recomputedLines(found),
    ...decidedLines(found),
    // A bundle that differs only claims what nobody can compute.
    `${total === 0 ? "verdict " : "claims  "}    ${found.verdict ?? noVerdict(found)}`,
    ...(total === 0 ? [] : ["", total === 1 ? "1 difference:" : `${formatInteger(total)} differences:`]),
    ...differences.slice(0, SHOWN).map(formatDifference),
    ...(more > 0 ? [`  … and ${formatInteger(more)} more`] : []),
    ...(total > 0 && found.assay !== assay
      ? [`note: assay ${printable(found.assay)} computed the bundle, and this is ${assay}`]
      : []),
    "",
  ].join("\n")
}

function headline({ valid, signer, differences_total, rows_missing }: Verification): string {
  if (valid) return "VALID"
  if (differences_total > 0) return "NOT VALID: the bundle is not what was signed, or its parts do not fit together"
  if (rows_missing.length > 0) return "NOT DECIDED: rows are not in the bundle; name their file with --rows"
  return signer.trusted
    ? "NOT DECIDED"
    : "NOT DECIDED: no trusted key has signed the bundle; name the signer's public key with --key"
}

function signerText({ signer: { keyid, name, trusted }, created_at }: Verification): string {
  const who = trusted ? `${printable(name ?? "")} (trusted)` : name === null ? "an unknown key" : printable(name)
  return `${who}, key ${printable(keyid.slice(0, 16))}…, on ${printable(created_at)}`
}

function recomputedLines({ recomputed, redacted, rows_missing, differences_total }: Verification): readonly string[] {
  if (rows_missing.length > 0)
    return [`recomputed  nothing: the rows of ${rows_missing.join(" and ")} are out of reach`]
  const { rows, pure, judged, taken, scores, gates, corrected, comparison, taken_parts } = recomputed
  if (scores === 0 && differences_total > 0) return ["recomputed  nothing, because the parts that differ come first"]
  const number = (count: number, one: string, many: string) => `${formatInteger(count)} ${count === 1 ? one : many}`
  const parts = [
    `${number(rows, "row", "rows")} in the Merkle tree`,
    ...(redacted ? [] : [number(pure, "score of a pure metric", "scores of pure metrics")]),
    ...(redacted ? [] : [number(judged, "reading of a judge", "readings of judges")]),
    number(scores, "aggregate with its interval", "aggregates with their intervals"),
    ...(corrected > 0 ? [number(corrected, "mean corrected by people", "means corrected by people")] : []),
    number(gates, "gate", "gates"),
    ...(comparison ? ["1 comparison"] : []),
  ]
  return [
    `recomputed  ${parts.join(", ")}`,
    ...(redacted
      ? ["redacted    texts are left out, so pure metrics and readings of judges can't be computed again"]
      : []),
    ...(taken > 0 ? [`taken       ${number(taken, "score", "scores")} of rows as they are stored`] : []),
    ...taken_parts.slice(0, SHOWN).map((part) => `taken       ${printable(part)}`),
  ]
}

function noVerdict({ gates, comparison }: Verification): string {
  return gates.length === 0 && comparison === null
    ? "none: there are no gates and no comparison"
    : "none: a metric or a judge differs from what it is compared with"
}

/** Returns what the verdict follows from. */
function decidedLines({ gates, comparison, differences_total }: Verification): readonly string[] {
  if (differences_total > 0) return []
  const more = gates.length - Math.min(gates.length, SHOWN)
  return [
    ...gates
      .slice(0, SHOWN)
      .map(({ name, limit, verdict }) => `gate        ${printable(`${name} ${limit}`)}: ${verdict ?? "no verdict"}`),
    ...(more > 0 ? [`            … and ${formatInteger(more)} more gates`] : []),
    ...(comparison === null ? [] : [comparisonLine(comparison)]),
  ]
}

function comparisonLine({ margin, allow_changed, verdict }: NonNullable<Verification["comparison"]>): string {
  const allowed = allow_changed ? ", also where a metric or a judge differs" : ""
  return `comparison  at most ${margin} worse than the baseline${allowed}: ${verdict ?? "no verdict"}`
}

function formatDifference({ what, stored, recomputed }: Difference): string {
  return `  ${printable(what)}\n    stored      ${valueText(stored)}\n    recomputed  ${valueText(recomputed)}`
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return printable(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text)
}
