import { formatInteger, formatScore, gateNotes, gateRule, intervalPlot, verdictWord } from "@assay/reports"
import { gateTexts } from "@assay/evaluation-files"
import type { JobGateState } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Markup } from "../../../components/markup.tsx"
import { evenRange } from "../../../plots/even-range.ts"

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
  const ofTheseRows = gate.on_these_rows === true
  return (
    <article className="card">
      <h3>
        <span dir="auto">
          {name} <span className="soft">{limit.replace(">=", "≥").replace("<=", "≤")}</span>
        </span>
        <Badge text={verdictWord(verdict)} tone={verdict ?? "INCONCLUSIVE"} />
      </h3>
      <div className="value">{formatScore(value)}</div>
      <Markup
        of={intervalPlot(
          { mean: value, ...scaleOf([bound, value, low, high]), interval },
          bound,
          ofTheseRows ? "no interval" : undefined,
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

/** Returns the ends of the axis: 0 and 1 for shares, else even numbers around the values, so that none stands at an end. */
function scaleOf(values: readonly (JobGateState["value"] | null)[]): { readonly min: number; readonly max: number } {
  const known = values.filter((value) => typeof value === "number")
  const low = Math.min(...known)
  const high = Math.max(...known)
  if (low >= 0 && high <= 1) return { min: 0, max: 1 }
  const room = (high - low) / 5
  const [min, max] = evenRange(low - room, high + room)
  return { min, max }
}
