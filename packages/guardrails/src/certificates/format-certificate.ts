import { formatTable } from "@assay/reports/terminal"
import { cutText, formatCount, formatInteger, formatShare } from "@assay/reports"
import { type Certificate, printable } from "@assay/schemas"
import type { AskedAgain } from "./ask-again.ts"
import { formatBoundedRate } from "./certificate-rates.ts"
import type { CertifiableCandidate } from "./certifiable-candidate.ts"
import { resultWord } from "./result-word.ts"

type Tested = Certificate["candidates"][number]

/** Formats which candidate is certified and what that guarantees, or how far the nearest is from it. */
export function formatCertificate(certificate: Certificate): string {
  const { candidates, data, seed, tuning_share: share } = certificate
  const [first] = candidates
  const rows = (set: "tuning" | "certification") =>
    first === undefined
      ? ""
      : `${formatInteger(first[set].false_block.n)} safe and ${formatInteger(first[set].miss.n)} unsafe`
  const shown = shownCandidates(certificate)
  const table = formatTable(shown, [
    { heading: "CANDIDATE", value: ({ name }) => name },
    { heading: "RESULT", value: (one) => resultWord(one, certificate) },
    { heading: "FALSE BLOCKS", value: ({ certification }) => countOf(certification.false_block), align: "right" },
    { heading: "MISSES", value: ({ certification }) => countOf(certification.miss), align: "right" },
    { heading: "P", value: ({ p }) => formatP(p), align: "right" },
  ])
  const sets = `${formatShare(share)} of ${printable(data)} ordered the candidates (${rows("tuning")}), the rest certified (${rows("certification")}); seed ${seed}${copiesOf(certificate)}`
  const hidden = candidates.length - shown.length
  const more = hidden === 0 ? "" : `and ${formatCount(hidden, "more candidate")}, all in certificate.json\n`
  const warned = (certificate.warnings ?? []).map((warning) => `WARNING: ${printable(warning)}\n`).join("")
  return `${verdictSentence(certificate)}\n${warned}\n${table}${more}${shown.map(withoutVerdict).join("")}\n${sets}\n`
}

function copiesOf({ copies = 0 }: Certificate): string {
  return copies === 0 ? "" : `; ${formatCount(copies, "copy", "copies")} of other prompts left out`
}

/** Thresholds multiply candidates, and the first ones in the order of the tests decide. */
const MAX_SHOWN = 20

/** Returns the first candidates in the order of their tests, and the chosen one. */
export function shownCandidates({ candidates, chosen }: Certificate): readonly Tested[] {
  return candidates.filter(({ name }, at) => at < MAX_SHOWN || name === chosen)
}

/** Formats which prompts were certified without thresholds, or returns an empty text if there are none. */
export function formatWithoutThresholds(
  { candidates }: Certificate,
  tried: readonly Pick<CertifiableCandidate, "asked" | "base" | "threshold">[],
): string {
  const scored = new Set(candidates.flatMap(({ base, threshold }) => (threshold === undefined ? [] : [base])))
  const without = tried.filter(({ threshold, base }) => threshold !== null && !scored.has(base ?? undefined))
  const names = [...new Set(without.map(({ asked }) => `'${printable(asked.name)}'`))]
  if (names.length === 0) return ""
  return `No thresholds were tried for ${cutText(names.join(", "), 200)}: the endpoint gives no log-probabilities of the verdict.\n`
}

/** Formats what the certified candidate answers today. */
export function formatAskedAgain(asked: AskedAgain, { limits, alpha }: Certificate): string {
  const { rows, changed, p, verdict } = asked
  const counts = `${countOf(asked.false_block)} false blocks, ${countOf(asked.miss)} misses`
  const result = {
    PASS: `the limits hold (${limitsOf(limits)}; p ${formatP(p)})`,
    FAIL: `a limit is broken (${limitsOf(limits)}): the model behind the endpoint does not answer as it did`,
    INCONCLUSIVE: `these answers would not certify it again (p ${formatP(p)}, above ${alpha}): the model behind the endpoint may have changed`,
  }[verdict]
  const lost = withoutVerdict({ ...asked, name: "the certified configuration" })
  return `asked again: ${verdict}, ${result}\n${formatCount(changed, "verdict")} of ${formatInteger(rows)} ${changed === 1 ? "differs" : "differ"} from the stored ones; ${counts}\n${lost}`
}

/** Says how many faults of a candidate are not verdicts. Many of them are rather a fault of the set-up. */
function withoutVerdict({ name, unreadable, failed }: Pick<Tested, "name" | "unreadable" | "failed">): string {
  const parts = [
    ...(unreadable === 0 ? [] : [`${formatCount(unreadable, "answer")} without a verdict`]),
    ...(failed === 0 ? [] : [`${formatCount(failed, "question")} that failed`]),
  ]
  if (parts.length === 0) return ""
  return `The faults of '${printable(name)}' include ${parts.join(" and ")}; look at one with 'assay guard check'.\n`
}

/** Formats the verdict in one sentence. */
export function verdictSentence({
  verdict,
  chosen,
  limits,
  alpha,
  candidates,
  rates,
  more_safe_rows: more,
}: Certificate): string {
  const limit = limitsOf(limits)
  if (chosen !== null) {
    const certified = candidates.filter(({ result }) => result === "certified").length
    const choice = certified > 1 ? `, the one with the fewest misses of ${certified} that are certified` : ""
    const found = rates == null ? "" : `; of these rows ${foundOf(rates)}`
    return `PASS: '${printable(chosen)}'${choice}: ${limit}, at a confidence of ${formatShare(1 - alpha)}${found}`
  }
  if (verdict === "FAIL") return `FAIL: every candidate breaks a limit (${limit})`
  const [nearest] = candidates
  const next = more === null ? "" : `; about ${formatCount(more, "more safe prompt")} would decide`
  return `INCONCLUSIVE: no candidate is certified (${limit}); the nearest is '${printable(nearest?.name ?? "")}' with ${countOf(nearest?.certification.false_block)} false blocks${next}`
}

/** Formats both rates of the chosen candidate in words. */
function foundOf({ false_block, miss }: NonNullable<Certificate["rates"]>): string {
  return `${formatBoundedRate(false_block)} safe ones were blocked and ${formatBoundedRate(miss)} unsafe ones passed`
}

/** Formats the limits in words. */
export function limitsOf({ false_block, miss }: Certificate["limits"]): string {
  const misses = miss === null ? "" : ` and at most ${formatShare(miss)} of unsafe ones pass`
  return `at most ${formatShare(false_block)} of safe prompts are blocked${misses}`
}

/** Formats a p-value. */
export function formatP(p: number): string {
  return p < 0.0001 ? p.toExponential(1) : p.toFixed(4)
}

/** Formats how many rows of how many had a fault. */
export function countOf(counts: Tested["certification"]["miss"] | undefined): string {
  return counts === undefined ? "–" : `${counts.count} of ${counts.n}`
}
