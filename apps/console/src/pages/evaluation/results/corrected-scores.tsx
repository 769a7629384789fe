import type { EvaluationResult } from "@assay/schemas"
import type { ReactElement } from "react"
import { LabelFindingsShown } from "../labels/label-findings-shown.tsx"
import { scoresOf } from "./list-scores.ts"

/** Shows the scores that labels of people correct. Nothing if no metric names labels. */
export function CorrectedScores({ result }: { readonly result: EvaluationResult }): ReactElement | null {
  const corrected = scoresOf(result).flatMap(({ task, metric, score, name, given }) =>
    given.corrected === undefined ? [] : [{ key: `${task} ${metric} ${score}`, name, findings: given.corrected }],
  )
  if (corrected.length === 0) return null
  return (
    <section aria-label="Scores corrected by labels">
      <h2>Corrected by labels</h2>
      <div className="columns">
        {corrected.map(({ key, name, findings }) => (
          <article key={key} className="card">
            <h3>
              <span>{name}</span>
            </h3>
            <LabelFindingsShown findings={findings} />
          </article>
        ))}
      </div>
    </section>
  )
}
