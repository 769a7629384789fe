import type { CheckAnswer, GuardrailConfiguration } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { RailCard } from "./rail-card.tsx"
import { STATUSES } from "./rail-status.ts"

export interface CheckedRailsProps {
  readonly answer: CheckAnswer
  readonly configuration: GuardrailConfiguration
}

/** Renders the decision over a message, and how each rail came to it. */
export function CheckedRails({ answer, configuration }: CheckedRailsProps): ReactElement {
  const { log, warnings = [] } = answer.guardrails_data
  const rails = log.activated_rails
  const { text, sentence, tone } = STATUSES[answer.status]
  const planned = [
    ...(configuration.data.rails?.input?.flows ?? []),
    ...(configuration.data.rails?.output?.flows ?? []),
  ]
  const skipped = planned.filter((flow) => rails.every(({ name }) => name !== flow))
  return (
    <>
      <section className={`card answer ${tone}`} aria-label="Decision">
        <div>
          <strong>{rails.length === 0 ? "No rail judged this message" : sentence}</strong>
          {skipped.length === 0 ? null : <p>Not asked, or cancelled after a block: {skipped.join(", ")}</p>}
        </div>
        <Badge text={text} tone={tone} />
      </section>
      {rails.map((rail) => (
        <RailCard key={rail.name} rail={rail} direction={rail.type ?? directionOf(rail.name, configuration)} />
      ))}
      {warnings.length === 0 ? null : (
        <section className="card condition INCONCLUSIVE" aria-label="Warnings">
          <h3>Parts without effect</h3>
          <ul className="evidence">
            {warnings.map(({ loc, msg }) => (
              <li key={`${loc.join(".")} ${msg}`}>
                <code>{loc.join(".")}</code> {msg}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function directionOf(flow: string, { data }: GuardrailConfiguration): string {
  return data.rails?.input?.flows?.includes(flow) === true ? "input" : "output"
}
