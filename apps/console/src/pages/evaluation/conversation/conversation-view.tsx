import { formatCount } from "@assay/reports"
import type { RowAttempt, RowConversation } from "@assay/schemas"
import { useMemo, useState, type ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { Folded } from "../../../components/folded.tsx"
import "./conversation.css"
import { endSentence, heldTurns, type HeldTurn } from "./held-turns.ts"
import { TurnShown } from "./turn-shown.tsx"

export interface ConversationViewProps {
  readonly conversation: RowConversation
  readonly judged: Pick<RowAttempt, "labels" | "unreadable" | "judge_answers">
}

/** Shows a conversation as one reads it: turn by turn, why it ended, and the state that its tools left. */
export function ConversationView({ conversation, judged }: ConversationViewProps): ReactElement {
  const turns = useMemo(() => heldTurns(conversation, judged), [conversation, judged])
  return (
    <section aria-label="Conversation" className="talk">
      <h3>
        Conversation <small className="soft">{factsOf(conversation)}</small>
      </h3>
      <Preface conversation={conversation} />
      <Turns turns={turns} isSimulated={conversation.user !== undefined} />
      <ConversationEnding conversation={conversation} />
    </section>
  )
}

/** Returns how long a conversation is, and what its model did wrong. */
export function factsOf({ turns, malformed_calls, unknown_tools }: RowConversation): string {
  const calls = turns.reduce((sum, turn) => sum + turn.calls.length, 0)
  const parts = [
    formatCount(turns.length, "turn"),
    calls === 0 ? "" : formatCount(calls, "call"),
    malformed_calls === 0 ? "" : formatCount(malformed_calls, "malformed call"),
    unknown_tools === 0 ? "" : formatCount(unknown_tools, "call of an unknown tool", "calls of unknown tools"),
  ]
  return parts.filter((part) => part !== "").join(", ")
}

/** Shows what both sides were told, folded. */
export function Preface({
  conversation: { messages, user },
}: Pick<ConversationViewProps, "conversation">): ReactElement {
  const [first] = messages
  const system = first?.role === "system" && typeof first.content === "string" ? first.content : undefined
  return (
    <>
      {system === undefined ? null : (
        <Folded title="System message">{() => <CodeBlock label="system message" text={system} />}</Folded>
      )}
      {user?.instructions == null ? null : (
        <Folded title="What the simulated user was told">
          {() => <CodeBlock label="instructions of the user" text={user.instructions ?? ""} />}
        </Folded>
      )}
    </>
  )
}

/** Turns that are shown before somebody asks for all. */
const MAX_SHOWN = 30

interface TurnsProps {
  readonly turns: readonly HeldTurn[]
  readonly isSimulated: boolean
}

function Turns({ turns, isSimulated }: TurnsProps): ReactElement {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? turns : turns.slice(0, MAX_SHOWN)
  return (
    <>
      <ol className="turns">
        {shown.map((turn) => (
          <li key={turn.number}>
            <TurnShown turn={turn} isSimulated={isSimulated} />
          </li>
        ))}
      </ol>
      {shown.length === turns.length ? null : (
        <button type="button" onClick={() => setIsWhole(true)}>
          Show all {formatCount(turns.length, "turn")}
        </button>
      )}
    </>
  )
}

/** Says why a conversation ended, whether its user kept to its facts, and shows the state at the end. */
export function ConversationEnding({ conversation }: Pick<ConversationViewProps, "conversation">): ReactElement {
  const { end, state, user } = conversation
  return (
    <div className="talk-end" data-limited={end.startsWith("limit_") ? "" : undefined}>
      <p>
        <b>The end.</b> {endSentence(conversation)} <code>{end}</code>
      </p>
      {user?.kept_facts === undefined ? null : (
        <p>
          {user.kept_facts === null
            ? "Its judge does not say whether the simulated user kept to its facts."
            : user.kept_facts
              ? "The simulated user kept to its facts."
              : "The simulated user did not keep to its facts: that is not a fault of the target."}{" "}
          {user.verdict === undefined ? null : <q dir="auto">{user.verdict}</q>}
        </p>
      )}
      {isEmpty(state) ? null : (
        <>
          <p className="soft">State at the end</p>
          <CodeBlock label="state at the end" text={JSON.stringify(state, null, 2)} />
        </>
      )}
    </div>
  )
}

function isEmpty(state: unknown): boolean {
  return state === null || state === undefined || (typeof state === "object" && Object.keys(state).length === 0)
}
