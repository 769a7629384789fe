import { type Static, Type } from "@sinclair/typebox"
import { ChatMessage } from "../../inference/chat.ts"
import { AnyName, enumeration, orNull } from "../../records/field-types.ts"
import { ScoreValue } from "../evaluation-result.ts"
import type { EvaluationRow } from "../rows/evaluation-row.ts"

const Call = Type.Object({
  name: Type.String(),
  arguments: Type.Unknown({ description: "An object; for malformed arguments the beginning of their text." }),
  result: Type.Optional(Type.Unknown({ description: "What the tool returned." })),
  error: Type.Optional(Type.String({ description: "Instead of a result: why the call failed." })),
  refused: Type.Optional(
    Type.Literal(true, {
      description: "The tool was not called: its name is unknown, or the arguments are malformed.",
    }),
  ),
})

const Turn = Type.Object({
  turn: Type.Integer({ description: "The number of the turn in the file, from 0. Repeated turns have the same one." }),
  user: Type.String(),
  output_text: orNull<string>("string", "The answer; null if the conversation reached a limit before it."),
  calls: Type.Array(Call),
  scores: Type.Record(AnyName, Type.Record(AnyName, ScoreValue), { description: "By metric and score." }),
  latency_ms: orNull<number>("number", "Milliseconds of the answers of the turn."),
  state: Type.Optional(Type.Unknown({ description: "The state after the turn. Absent: as after the turn before." })),
})

/** A conversation as it was held, turn by turn. */
export const RowConversation = Type.Object(
  {
    end: enumeration(["turns", "stopped", "limit_turns", "limit_calls", "limit_tokens", "limit_time"] as const, {
      description: "Why it ended: all turns were held, its user stopped it, or it reached a limit.",
    }),
    turns: Type.Array(Turn),
    messages: Type.Array(ChatMessage, { description: "All messages, as they were sent and received." }),
    state: Type.Unknown({ description: "The state that the tools left." }),
    user: Type.Optional(
      Type.Object(
        {
          instructions: orNull<string>("string", "What the model that wrote the messages of the user was told."),
          kept_facts: Type.Optional(
            orNull<boolean>("boolean", "Whether its messages agree with its facts; null: its judge gave no verdict."),
          ),
          verdict: Type.Optional(Type.String({ description: "The text of its judge." })),
        },
        { description: "Present if a model wrote the messages of the user." },
      ),
    ),
    malformed_calls: Type.Integer({ description: "Calls whose arguments did not satisfy the schema of their tool." }),
    unknown_tools: Type.Integer({ description: "Calls of tools that do not exist." }),
  },
  { $id: "RowConversation" },
)
export type RowConversation = Static<typeof RowConversation>

/** Returns the conversation of a row; undefined for a row that is a single answer, or whose conversation was not held to its end. */
export function rowConversationOf({ sample, turns }: EvaluationRow): RowConversation | undefined {
  if (sample?.end === undefined || turns === undefined) return undefined
  const { end, messages = [], state = null, user, malformed_calls = 0, unknown_tools = 0 } = sample
  return {
    end,
    turns: turns.map(({ turn, user: said, output_text, calls, scores, latency_ms, ...rest }) => ({
      turn,
      user: said,
      output_text,
      calls: [...calls],
      scores,
      latency_ms,
      ...("state" in rest ? { state: rest.state } : {}),
    })),
    messages: [...messages],
    state,
    ...(user === undefined ? {} : { user: simulatedUserOf(user) }),
    malformed_calls,
    unknown_tools,
  }
}

function simulatedUserOf({
  messages: [first],
  kept_facts,
  verdict,
}: NonNullable<NonNullable<EvaluationRow["sample"]>["user"]>): NonNullable<RowConversation["user"]> {
  return {
    instructions: first?.role === "system" && typeof first.content === "string" ? first.content : null,
    ...(kept_facts === undefined ? {} : { kept_facts }),
    ...(verdict === undefined ? {} : { verdict }),
  }
}
