import { formatInteger, gateNotes, gateRule, intervalPlot, verdictWord } from "@assay/reports"
import { gateTexts } from "@assay/evaluation-files"
import type { EvaluationConfigBody, JobGateState } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Markup } from "../../../components/markup.tsx"
import { formatWithUnit } from "../jobs/score-unit.ts"
import { gateAxis } from "./gate-axis.ts"

type Config = Pick<EvaluationConfigBody, "tasks">

export interface JobGatesProps {
  readonly config: Config
  readonly gates: readonly JobGateState[]
}

/** Shows the gates of a job, also while it runs. */
export function JobGates({ config, gates }: JobGatesProps): ReactElement | null {
  if (gates.length === 0) return null
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <p className="soft">{explain(gates)}</p>
      <div className="scores">
        {gates.map((gate) => (
          <GateCard key={`${gate.name} ${gate.limit}`} config={config} gate={gate} />
        ))}
      </div>
    </section>
  )
}

function explain(gates: readonly JobGateState[]): string {
  return [gateRule(gates, "rows"), ...gateNotes(gates)].join(" ")
}

interface GateCardProps {
  readonly config: Config
  readonly gate: JobGateState
}

function GateCard({ config, gate }: GateCardProps): ReactElement {
  const { name, limit, value, low, high, verdict } = gate
  const interval = low === null || high === null ? null : { low, high, confidence: 1 - gate.alpha, method: "" }
  const bound = gateTexts.numberOfLimit(limit)
  const { unit, ...axis } = gateAxis(config, gate, bound)
  const ofTheseRows = gate.on_these_rows === true
  return (
    <article className="card">
      <h3>
        <span dir="auto">
          {name} <span className="soft">{limit.replace(">=", "≥").replace("<=", "≤")}</span>
        </span>
        <Badge text={verdictWord(verdict)} tone={verdict ?? "INCONCLUSIVE"} />
      </h3>
      <div className="value">{formatWithUnit(value, unit)}</div>
      <Markup
        of={intervalPlot(
          { mean: value, ...axis, interval },
          bound,
          ofTheseRows ? { withoutInterval: "no interval", unit } : { unit },
        )}
      />
      <p className="counts">
        {gate.decided_after === null ? null : <span>decided by {formatInteger(gate.decided_after)} rows</span>}
        <span>
          {ofTheseRows
            ? "on these rows, without an interval"
            : `${(100 * (1 - gate.alpha)).toFixed(1).replace(/\.0$/, "")} % interval`}
        </span>
      </p>
    </article>
  )
}
