import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { judgeQuestion } from "./judge-question.ts"

/** Shows what the judge is asked, so that people answer the same question. Renders nothing if no model is asked. */
export function LabelQuestionShown({ question }: { readonly question: LabelQuestion }): ReactElement | null {
  const { prompt, rubric, is_higher_better: isBetter } = question
  if (prompt === null) return null
  const { asked, whole } = judgeQuestion(prompt)
  return (
    <section aria-label="The judge's question">
      <h3>The judge is asked</h3>
      <p className="question-to-label" dir="auto" tabIndex={0}>
        {asked}
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
      {whole === undefined ? null : (
        <Folded title="The whole prompt">
          {() => (
            <p className="question-to-label soft" dir="auto" tabIndex={0}>
              {whole}
            </p>
          )}
        </Folded>
      )}
    </section>
  )
}
