import { formatInteger, formatScore, gateNotes, gateRule, intervalPlot, verdictWord } from "@assay/reports"
import { gateTexts, type JobGateState } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Markup } from "../../../components/markup.tsx"

/** Shows the gates of a job, also while it runs. */
export function JobGates({ gates }: { readonly gates: readonly JobGateState[] }): ReactElement | null {
  if (gates.length === 0) return null
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <p className="soft">{explain(gates)}</p>
      <div className="scores">
        {gates.map((gate) => (
          <GateCard key={`${gate.name} ${gate.limit}`} gate={gate} />
        ))}
      </div>
    </section>
  )
}

function explain(gates: readonly JobGateState[]): string {
  return [gateRule(gates, "rows"), ...gateNotes(gates)].join(" ")
}

function GateCard({ gate }: { readonly gate: JobGateState }): ReactElement {
  const { name, limit, value, low, high, verdict } = gate
  const interval = low === null || high === null ? null : { low, high, confidence: 1 - gate.alpha, method: "" }
  const bound = gateTexts.numberOfLimit(limit)
  const scale = { min: Math.min(bound, low ?? bound, 0), max: Math.max(bound, high ?? bound, 1) }
  return (
    <article className="card">
      <h3>
        <span dir="auto">
          {name} <span className="soft">{limit.replace(">=", "≥").replace("<=", "≤")}</span>
        </span>
        <Badge text={verdictWord(verdict)} tone={verdict ?? "INCONCLUSIVE"} />
      </h3>
      <div className="value">{formatScore(value)}</div>
      <Markup of={intervalPlot({ mean: value, ...scale, interval }, bound)} />
      <p className="counts">
        {gate.decided_after === null ? null : <span>decided by {formatInteger(gate.decided_after)} rows</span>}
        <span>
          {gate.on_these_rows === true
            ? "on these rows, without an interval"
            : `${(100 * (1 - gate.alpha)).toFixed(1).replace(/\.0$/, "")} % interval`}
        </span>
      </p>
    </article>
  )
}
