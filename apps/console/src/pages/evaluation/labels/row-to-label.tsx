import type { EvaluationJob } from "@assay/schemas"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { ConversationShown } from "../../../texts/conversation-shown.tsx"
import { readConversation } from "../../../texts/conversation.ts"
import { RichText } from "../../../texts/rich-text.tsx"
import { askedFields } from "../rows/template-fields.ts"
import type { RowToLabel as Row } from "./use-label-queue.ts"

export interface RowToLabelProps {
  readonly config: EvaluationJob["config"]
  readonly row: Row
}

/** Renders the item and the output that people judge. Fields that no prompt and no metric uses are folded below the output. */
export function RowToLabel({ config, row: { item, output, pair } }: RowToLabelProps): ReactElement {
  const asked = askedFields(config)
  const fields = Object.entries(item)
  const used = fields.filter(([name]) => asked.has(name))
  // A prompt that the rows have themselves has no template that names it.
  const shown = used.length === 0 ? fields : used
  const others = fields.filter((field) => !shown.includes(field))
  return (
    <>
      <Fields fields={shown} />
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
      {others.length === 0 ? null : <Folded title="Other fields">{() => <Fields fields={others} />}</Folded>}
    </>
  )
}

type Field = readonly [name: string, value: unknown]

/** Renders short fields in lines, and the others below, each with its form. */
function Fields({ fields }: { readonly fields: readonly Field[] }): ReactElement {
  return (
    <>
      <dl className="facts-to-label">
        {fields.filter(isShort).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd dir="auto">{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      <dl className="item-to-label">
        {fields.map(([name, value]) => {
          if (isShort([name, value])) return null
          const messages = readConversation(value)
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {messages === undefined ? (
                  <RichText text={valueText(value)} label={name} />
                ) : (
                  <ConversationShown messages={messages} />
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}

/** Characters of a value that stands in a line with others, so that what is judged stays in sight. */
const MAX_SHORT = 24

function isShort([, value]: Field): boolean {
  const text = typeof value === "object" && value !== null ? undefined : valueText(value)
  return text !== undefined && text.length <= MAX_SHORT && !text.includes("\n")
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
