import { formatInteger } from "@assay/reports"
import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { WithCode } from "../../../components/with-code.tsx"
import { recommendedJudge } from "./fit-judge.ts"

/** Renders which judge to use, or why none is fit, and what to do then. */
export function Recommendation({ report }: { readonly report: CalibrationReport }): ReactElement {
  const { rows, recommendation, verdict, conditions, judges, data, repeat } = report
  const judge = recommendedJudge(report)
  const isWithdrawn = judge === null && recommendation.judge !== null
  const isClean = conditions.length === 0 && (verdict === null || verdict === "PASS")
  const own = judge === null ? verdict : ownVerdict(judge, report)
  // Gates and conditions of other judges say nothing about the recommended one.
  const tone = judge === null ? "FAIL" : (own ?? (isClean ? "PASS" : "INCONCLUSIVE"))
  return (
    <section className={`card answer ${tone}`} aria-label="Recommendation">
      <div>
        <strong dir="auto">{judge === null ? noneFit(judges.length) : headlineOf(judge, own, judges.length)}</strong>
        <p dir="auto">
          {isWithdrawn
            ? `The report names “${recommendation.judge ?? ""}”, which fails a gate or has a condition open. Such a judge is not recommended here.`
            : recommendation.reason}
        </p>
        {recommendation.advice === null ? null : (
          <p className="remedy">
            <b>What to do</b> <WithCode text={recommendation.advice} />
          </p>
        )}
        <p className="soft" dir="auto">
          {data}: {formatInteger(rows.safe)} safe and {formatInteger(rows.unsafe)} unsafe prompts
          {repeat > 1 ? `, each asked ${repeat} times` : ""}
        </p>
      </div>
      {own === null ? null : <Badge text={own} tone={own} />}
    </section>
  )
}

function noneFit(count: number): string {
  return count === 1 ? "It is not fit to guard" : "None of these judges is fit to guard"
}

function headlineOf(judge: string, verdict: CalibrationReport["verdict"], count: number): string {
  if (verdict === "INCONCLUSIVE") return `${judge}, but this set is too small to be sure`
  if (count > 1) return `Use ${judge}`
  return verdict === "PASS" ? `${judge} is fit to guard` : `${judge}, without a limit to keep`
}

/** Returns the worst verdict of a judge's own gates. It is never recommended with a gate that fails. */
function ownVerdict(judge: string, { gates }: CalibrationReport): CalibrationReport["verdict"] {
  const own = gates.filter((gate) => gate.judge === judge)
  if (own.length === 0) return null
  return own.every(({ verdict }) => verdict === "PASS") ? "PASS" : "INCONCLUSIVE"
}
