import { formatCount } from "@assay/reports"
import type { RowAttempt, RowConversation } from "@assay/schemas"
import { useMemo, useState, type ReactElement } from "react"
import "./conversation.css"
import { ConversationEnding, factsOf, Preface } from "./conversation-view.tsx"
import { heldTurns, turnsInCommon, type HeldTurn } from "./held-turns.ts"
import { TurnShown } from "./turn-shown.tsx"

export interface TwoConversationsProps {
  readonly a: ConversationSide
  readonly b: ConversationSide
}

export interface ConversationSide {
  readonly label: string
  readonly attempt: RowAttempt & { readonly conversation: RowConversation }
}

/** Shows two runs of a conversation: what they have in common folded, and side by side from where they part. */
export function TwoConversations({ a, b }: TwoConversationsProps): ReactElement {
  const ofA = useMemo(() => heldTurns(a.attempt.conversation, a.attempt), [a])
  const ofB = useMemo(() => heldTurns(b.attempt.conversation, b.attempt), [b])
  const common = turnsInCommon(ofA, ofB)
  const isSame = common === ofA.length && common === ofB.length
  const isSimulated = (side: ConversationSide) => side.attempt.conversation.user !== undefined
  return (
    <section aria-label="Both conversations" className="talk">
      <p>
        {isSame
          ? "Both conversations are the same."
          : common === 0
            ? "The conversations part in the first turn."
            : `The first ${common === 1 ? "turn is" : `${common} turns are`} the same. They part in turn ${common + 1}.`}
      </p>
      {common === 0 ? null : <CommonTurns turns={ofB.slice(0, common)} isSimulated={isSimulated(b)} isOpen={isSame} />}
      <div className="sides">
        {[
          { side: a, turns: ofA },
          { side: b, turns: ofB },
        ].map(({ side, turns }) => (
          <section key={side.label} aria-label={`Conversation of ${side.label}`}>
            <h4>
              {side.label} <small>{factsOf(side.attempt.conversation)}</small>
            </h4>
            {common === 0 ? <Preface conversation={side.attempt.conversation} /> : null}
            <TurnList turns={turns.slice(common)} isSimulated={isSimulated(side)} />
            <ConversationEnding conversation={side.attempt.conversation} />
          </section>
        ))}
      </div>
    </section>
  )
}

interface TurnListProps {
  readonly turns: readonly HeldTurn[]
  readonly isSimulated: boolean
}

function TurnList({ turns, isSimulated }: TurnListProps): ReactElement | null {
  if (turns.length === 0) return null
  return (
    <ol className="turns">
      {turns.map((turn) => (
        <li key={turn.number}>
          <TurnShown turn={turn} isSimulated={isSimulated} />
        </li>
      ))}
    </ol>
  )
}

function CommonTurns({ isOpen, ...list }: TurnListProps & { readonly isOpen: boolean }): ReactElement {
  const [isShown, setIsShown] = useState(isOpen)
  return (
    <details open={isShown} onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
      <summary>What both have in common: {formatCount(list.turns.length, "turn")}</summary>
      {isShown ? <TurnList {...list} /> : null}
    </details>
  )
}
