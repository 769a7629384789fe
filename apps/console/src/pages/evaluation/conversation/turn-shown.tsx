import { formatInteger, formatScore } from "@assay/reports"
import type { ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"
import { Folded } from "../../../components/folded.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { RichText } from "../../../texts/rich-text.tsx"
import type { HeldCall, HeldTurn, TurnScore } from "./held-turns.ts"

export interface TurnShownProps {
  readonly turn: HeldTurn
  /** Whether a model wrote the message of the user. */
  readonly isSimulated: boolean
}

/** Shows one turn: the message of the user, what the model called, its answer, and what judges said of the turn. */
export function TurnShown({ turn, isSimulated }: TurnShownProps): ReactElement {
  const { number, user, steps, answer, scores, latencyMs, state } = turn
  return (
    <>
      <p className="turn-head">
        <b>Turn {number}</b>
        {latencyMs === null ? null : <small className="soft">{formatInteger(Math.round(latencyMs))} ms</small>}
      </p>
      <div className="said" data-role="user">
        <b>{isSimulated ? "Simulated user" : "User"}</b>
        <RichText text={user} label={`the message of turn ${number}`} />
      </div>
      {steps.map((step, at) => {
        const key = `step ${at}`
        return step.kind === "call" ? (
          <CallShown key={key} call={step.call} />
        ) : (
          <div key={key} className="said" data-role="assistant">
            <b>Assistant</b>
            <RichText text={step.text} label={`a text of turn ${number}`} />
          </div>
        )
      })}
      <div className="said" data-role="assistant">
        <b>Assistant</b>
        {answer === null ? <p className="soft">no answer</p> : <RichText text={answer} label={`answer ${number}`} />}
      </div>
      {state === undefined ? null : (
        <Folded title="State after this turn">
          {() => <CodeBlock label={`state after turn ${number}`} text={JSON.stringify(state, null, 2)} />}
        </Folded>
      )}
      {scores.length === 0 ? null : <TurnScores number={number} scores={scores} />}
    </>
  )
}

/** Characters of arguments and of a result on the line of a folded call. */
const MAX_LINE = 160

/** Shows a call of a tool on one line, with its arguments and its result or error inside. */
function CallShown({ call }: { readonly call: HeldCall }): ReactElement {
  const { name, error } = call
  const result = error ?? valueText(call.result ?? null)
  return (
    <details className="call">
      <summary>
        <span className="called">
          <code dir="auto">
            {name}({lineOf(argumentsText(call.arguments))})
          </code>
          <span className={error === undefined ? "soft" : "fails"} dir="auto">
            {error === undefined ? "→" : "✗"} {lineOf(result)}
          </span>
        </span>
      </summary>
      <CodeBlock label={`arguments of ${name}`} text={pretty(call.arguments)} />
      <CodeBlock
        label={`${error === undefined ? "result" : "error"} of ${name}`}
        text={error ?? pretty(call.result ?? null)}
      />
    </details>
  )
}

function lineOf(text: string): string {
  const line = text.slice(0, MAX_LINE * 2).replaceAll(/\s+/gu, " ")
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line
}

function argumentsText(given: unknown): string {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return valueText(given ?? "")
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")
}

/** Characters of an argument or a result that are shown. The JSON of the row has the rest. */
const MAX_SHOWN = 100_000

function pretty(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}

interface TurnScoresProps {
  readonly number: number
  readonly scores: readonly TurnScore[]
}

/** Shows the scores of a turn, with the words of its judges below them. */
function TurnScores({ number, scores }: TurnScoresProps): ReactElement {
  return (
    <ul className="turn-scores" aria-label={`Scores of turn ${number}`}>
      {scores.map(({ name, value, word, remark }) => (
        <li key={name} className={value === 0 ? "fails" : undefined}>
          <span>
            {value === 0 ? "✗" : value === 1 ? "✓" : "·"} {name} <b>{formatScore(value)}</b>
          </span>
          {word === undefined ? null : <q dir="auto">{word}</q>}
          {remark === undefined ? null : (
            <blockquote dir="auto" className="text">
              {remark}
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  )
}
