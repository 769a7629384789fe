import type { EvaluationTask, RowAttempt } from "@assay/schemas"
import type { ReactElement } from "react"
import { formatWithUnit, unitOfMetric } from "../jobs/score-unit.ts"
import { isOfTurn } from "./failing-rows.ts"
import { RichText } from "../../../texts/rich-text.tsx"

export interface JudgedScoresProps {
  readonly attempt: RowAttempt
  /** The task of the row, as the job defines it. */
  readonly task: EvaluationTask | undefined
  /** The scores that do not keep their limits, and the code of the error. */
  readonly failures: readonly string[]
}

/** Shows the scores of an attempt with the words of judges, those that fail first, and the answers of judges that have no score. */
export function JudgedScores({ attempt, task, failures }: JudgedScoresProps): ReactElement {
  const { scores, labels, unreadable, conversation, judge_answers: answers = {} } = attempt
  // The scores and remarks of single turns are shown at their turn.
  const isOfRow = (metric: string) => conversation === undefined || !isOfTurn(metric)
  const values = Object.entries(scores).flatMap(([metric, found]) =>
    Object.entries(isOfRow(metric) ? found : {}).map(([score, value]) => ({
      name: metric === score ? metric : `${metric}.${score}`,
      value: formatWithUnit(value, task && unitOfMetric({ tasks: { task } }, metric)),
      word: labels?.[metric]?.[score],
      fails: failures.includes(`${metric}.${score}`),
    })),
  )
  const isAtTurn = (metric: string) => conversation?.turns.some(({ scores: own }) => Object.hasOwn(own, metric))
  const remarks = Object.entries(answers).flatMap(([metric, texts]) => {
    if (isAtTurn(metric) === true || unreadable?.[metric] !== undefined) return []
    const words = new Set(Object.values(labels?.[metric] ?? {}).map((word) => word.toLowerCase()))
    const written = texts.filter((text) => !words.has(text.trim().toLowerCase()))
    return written.length === 0 ? [] : [{ metric, text: written.join("\n\n") }]
  })
  const sorted = values.toSorted((a, b) => Number(b.fails) - Number(a.fails))
  return (
    <>
      {Object.entries(unreadable ?? {})
        .filter(([metric]) => isOfRow(metric))
        .map(([metric, { reason, raw }]) => (
          <div key={metric} className="row-error">
            <p>
              <b>{metric}</b> has no score: <span dir="auto">{reason}</span>
            </p>
            <RichText label={`what the judge of ${metric} said`} text={raw} />
          </div>
        ))}
      {sorted.length === 0 ? null : (
        <table className="judged">
          <tbody>
            {sorted.map(({ name, value, word, fails }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="end">{value}</td>
                <td>
                  {word === undefined ? null : <q dir="auto">{word}</q>}{" "}
                  {fails ? <span className="fails">✗ fails</span> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {remarks.map(({ metric, text }) => (
        <div key={metric} className="remark">
          <p className="soft">What {metric} wrote</p>
          <RichText label={`what ${metric} wrote`} text={text} />
        </div>
      ))}
    </>
  )
}
