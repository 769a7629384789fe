import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"
import type { ReactElement } from "react"

/** Shows what the judge is asked, so that people answer the same question. Renders nothing if no model is asked. */
export function LabelQuestionShown({ question }: { readonly question: LabelQuestion }): ReactElement | null {
  const { prompt, rubric, is_higher_better: isBetter } = question
  if (prompt === null) return null
  return (
    <section aria-label="The judge's question">
      <h3>The judge is asked</h3>
      <p className="question-to-label" dir="auto" tabIndex={0}>
        {prompt}
      </p>
      {rubric.length === 0 ? null : (
        <ul className="soft rubric">
          {rubric.map(({ label, value }) => (
            <li key={label}>
              <bdi>{label}</bdi>: {formatScore(value)}
            </li>
          ))}
        </ul>
      )}
      {isBetter === false ? <p className="soft">Lower scores are better.</p> : null}
    </section>
  )
}
