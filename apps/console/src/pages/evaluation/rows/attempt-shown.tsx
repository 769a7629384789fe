import { formatInteger } from "@assay/reports"
import type { Condition, EvaluationTask, RowAttempt } from "@assay/schemas"
import { useMemo, type ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { CodeLink } from "../../../components/failures/code-link.tsx"
import { Remedy } from "../../../components/failures/remedy.tsx"
import { Folded } from "../../../components/folded.tsx"
import { ConversationShown } from "../../../texts/conversation-shown.tsx"
import { readConversation } from "../../../texts/conversation.ts"
import { diffWords } from "../../../texts/diff-words.ts"
import { TextParts } from "../../../texts/text-parts.tsx"
import { RichText } from "../../../texts/rich-text.tsx"
import { ConversationView } from "../conversation/conversation-view.tsx"
import { failuresOf, type RowLimit } from "./failing-rows.ts"
import { ItemFields } from "./item-fields.tsx"
import { JudgedScores } from "./judged-scores.tsx"
import { RowRequestsShown } from "./row-requests.tsx"
import { referenceOf } from "./template-fields.ts"

export interface AttemptShownProps {
  readonly attempt: RowAttempt
  /** The task of the row, as the job defines it. */
  readonly task: EvaluationTask | undefined
  readonly limits: readonly RowLimit[]
  readonly conditions: readonly Condition[]
}

/** Shows one attempt: what judges said first, then the answer against the reference, the prompt, and what was sent and received. */
export function AttemptShown({ attempt, task, limits, conditions }: AttemptShownProps): ReactElement {
  const { output, error, requests, response, item } = attempt
  const failures = failuresOf(attempt, limits)
  const reference = referenceOf(task, item)
  return (
    <>
      {error === null ? null : <RowError error={error} conditions={conditions} />}
      <JudgedScores attempt={attempt} task={task} failures={failures} />
      {attempt.conversation === undefined ? (
        <>
          <h3>
            Answer <Facts attempt={attempt} />
          </h3>
          {output === null ? (
            <p className="soft">There is no answer.</p>
          ) : (
            <RichText text={output} label="the answer" />
          )}
          {reference === undefined ? null : <AgainstReference {...reference} output={output} />}
          <PromptShown attempt={attempt} />
        </>
      ) : (
        <ConversationView conversation={attempt.conversation} judged={attempt} />
      )}
      {requests.map((asked) => (
        <RowRequestsShown key={asked.metric ?? ""} {...asked} />
      ))}
      {response === null || response === undefined ? null : (
        <Folded title="Whole response">
          {() => <CodeBlock label="response" text={JSON.stringify(response, null, 2)} />}
        </Folded>
      )}
    </>
  )
}

function Facts({ attempt: { latency_ms, finish_reason } }: Pick<AttemptShownProps, "attempt">): ReactElement {
  const facts = [latency_ms === null ? "" : `${formatInteger(Math.round(latency_ms))} ms`, finish_reason ?? ""]
  return <small className="soft">{facts.filter((part) => part !== "").join(", ")}</small>
}

interface RowErrorProps {
  readonly error: NonNullable<RowAttempt["error"]>
  readonly conditions: readonly Condition[]
}

/** Shows why a row has no answer, with the remedy of the job's condition of the same code. */
function RowError({ error: { code, message }, conditions }: RowErrorProps): ReactElement {
  const condition = conditions.find((one) => one.code === code)
  return (
    <section className="row-error" aria-label="Error">
      <p>
        <CodeLink code={code} /> <span dir="auto">{message}</span>
      </p>
      {condition === undefined ? null : <Remedy text={condition.remedy} />}
    </section>
  )
}

interface AgainstReferenceProps {
  /** The field of the item. */
  readonly name: string
  readonly text: string
  readonly output: string | null
}

/** The least share of equal characters with which a difference is easier to read than two texts. */
const MIN_SAME = 0.25
/** Characters of texts that are compared. */
const MAX_COMPARED = 20_000

/** Shows the reference, and the answer against it word by word if they share enough words. */
function AgainstReference({ name, text, output }: AgainstReferenceProps): ReactElement {
  const isShort = output !== null && Math.max(text.length, output.length) <= MAX_COMPARED
  const parts = useMemo(() => (isShort ? diffWords(text, output) : []), [isShort, text, output])
  const same = parts.reduce((sum, part) => sum + (part.kind === "same" ? part.text.trim().length : 0), 0)
  const isEqual = output === text
  const isDiff = !isEqual && same > MIN_SAME * Math.max(text.length, output?.length ?? 0)
  return (
    <>
      <h3>
        Against the reference <small className="soft">{name}</small>
      </h3>
      {isEqual ? <p className="soft">The answer is the reference.</p> : null}
      {isDiff ? (
        <>
          <p className="soft legend">
            <span>
              <del>only in the reference</del>
            </span>
            <span>
              <ins>only in the answer</ins>
            </span>
          </p>
          <TextParts parts={parts} />
        </>
      ) : isEqual ? null : (
        <RichText text={text} label="the reference" />
      )}
    </>
  )
}

/** Shows what the target was asked: as a conversation, or the fields of the item if nothing was asked. */
function PromptShown({ attempt: { requests, item } }: Pick<AttemptShownProps, "attempt">): ReactElement {
  const body = requests.find(({ metric }) => metric === null)?.requests[0]?.body
  const messages =
    readConversation(body) ??
    Object.values(item)
      .flatMap((value) => [readConversation(value)])
      .find(Array.isArray)
  if (messages !== undefined) {
    return (
      <>
        <h3>Prompt</h3>
        <ConversationShown messages={messages} />
      </>
    )
  }
  return (
    <>
      <h3>Item</h3>
      <ItemFields fields={Object.entries(item)} />
    </>
  )
}
