import type { EvaluationJob } from "@assay/schemas"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { RichText } from "../../../texts/rich-text.tsx"
import { ItemFields } from "../rows/item-fields.tsx"
import { fieldsToLabel } from "../rows/template-fields.ts"
import type { RowToLabel as Row } from "./use-label-queue.ts"

export interface RowToLabelProps {
  readonly config: EvaluationJob["config"]
  readonly row: Row
}

/** Renders the item and the output that people judge. Fields that say nothing about the answer are folded below it. */
export function RowToLabel({ config, row: { task, item, output, pair } }: RowToLabelProps): ReactElement {
  const names = fieldsToLabel(config, { task, item, output })
  const fields = Object.entries(item)
  const shown = fields.filter(([name]) => names.has(name))
  const others = fields.filter((field) => !shown.includes(field))
  return (
    <>
      <ItemFields fields={shown} />
      {pair !== undefined ? (
        <div className="pair-to-label">
          <AnswerOfPair name="A" text={pair.a} />
          <AnswerOfPair name="B" text={pair.b} />
        </div>
      ) : output === null ? null : (
        <>
          <h3>Answer</h3>
          <div className="output-to-label">
            <RichText text={output} label="the answer" />
          </div>
        </>
      )}
      {others.length === 0 ? null : <Folded title="Other fields">{() => <ItemFields fields={others} />}</Folded>}
    </>
  )
}

/** Renders one of two answers. Neither of them is marked as the one of the job. */
function AnswerOfPair({ name, text }: { readonly name: "A" | "B"; readonly text: string }): ReactElement {
  return (
    <section aria-label={`Answer ${name}`}>
      <h3>Answer {name}</h3>
      <div className="output-to-label">
        <RichText text={text} label={`answer ${name}`} />
      </div>
    </section>
  )
}
