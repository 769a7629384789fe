import type { JudgeConclusion, JudgeReport } from "@assay/schemas"
import { formatCount, formatInteger, formatScore } from "./format-number.ts"

/** One finding of a report about a judge. */
export interface JudgeFinding {
  readonly check: string
  readonly value: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
  /** Where the value lies on its scale: that of agreements and correlations, that of shares, or none. */
  readonly scale: "agreement" | "share" | "difference"
  /** The value of a judge that has nothing to say about this, or no bias. */
  readonly neutral: number
  readonly from: string
}

/** The conclusion in three words. */
export const JUDGE_WORDS: Readonly<Record<JudgeConclusion, string>> = {
  fit: "fit to gate",
  corrected: "use corrected means",
  not_yet: "do not gate on it yet",
}

/** Returns the findings of a report about a judge in the order of their weight. Things that were not measured are left out. */
export function judgeFindings({
  agreement,
  people,
  difference,
  length,
  position,
  flips,
}: JudgeReport): readonly JudgeFinding[] {
  return [
    ...(agreement === null ? [] : agreementFindings("agreement with people", agreement, "label")),
    ...(people === null
      ? []
      : agreementFindings(`agreement of ${formatInteger(people.authors)} people`, people, "row")),
    ...(difference === null
      ? []
      : [
          {
            check: "judge minus people",
            value: difference.mean,
            interval: difference.interval,
            scale: "difference" as const,
            neutral: 0,
            from: "drawn labels",
          },
        ]),
    ...(length === null ? [] : lengthFindings(length)),
    ...(position === null ? [] : [positionFinding(position)]),
    ...(flips === null
      ? []
      : [
          {
            check: "flip_rate",
            value: flips.flip_rate,
            interval: flips,
            scale: "share" as const,
            neutral: 0,
            from: `${formatInteger(flips.flipped)} of ${formatCount(flips.rows, "output")} judged again`,
          },
        ]),
  ]
}

type Agreement = NonNullable<JudgeReport["agreement"]>

function agreementFindings(
  check: string,
  { kappa, kappa_interval, alpha, alpha_interval, rows, same }: Agreement,
  noun: string,
): readonly JudgeFinding[] {
  const from = `${formatCount(rows, noun)}, ${formatInteger(same)} equal`
  const about = { scale: "agreement", neutral: 0, from } as const
  const ofKappa = kappa === null ? [] : [{ check: `${check}, kappa`, value: kappa, interval: kappa_interval, ...about }]
  return [...ofKappa, { check: `${check}, alpha`, value: alpha, interval: alpha_interval, ...about }]
}

function lengthFindings(length: NonNullable<JudgeReport["length"]>): readonly JudgeFinding[] {
  const { given_labels: given } = length
  const of = (check: string, one: Pick<typeof length, "rows" | "correlation" | "interval">, noun: string) => ({
    check,
    value: one.correlation,
    interval: one.interval,
    scale: "agreement" as const,
    neutral: 0,
    from: formatCount(one.rows, noun),
  })
  return [
    of("length of answers", length, "verdict"),
    ...(given === null ? [] : [of("length, beyond labels", given, "label")]),
  ]
}

function positionFinding({ basis, rows, first, second, share, low, high }: NonNullable<JudgeReport["position"]>) {
  const decided = first + second
  const from =
    basis === "both_orders"
      ? `${formatInteger(decided)} of ${formatCount(rows, "row")} contradict the other order`
      : `${formatInteger(decided)} of ${formatCount(rows, "row")} decided, if the order was random`
  return {
    check: "first answer wins",
    value: share,
    interval: { low, high },
    scale: "share" as const,
    neutral: 0.5,
    from,
  }
}

/** Formats an interval of a finding. */
export function findingInterval({ interval, value }: JudgeFinding): string {
  return interval === null || value === null
    ? "no interval"
    : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
}
