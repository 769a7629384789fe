import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyName } from "../../records/field-types.ts"
import { EvaluationModel } from "../evaluation-target.ts"
import { MetricConfig } from "../metric-config.ts"
import { PROGRAM_TEXTS, toolsSchema } from "./tool-config.ts"

/** The highest values of limits that a file can set, which are also their defaults. */
export const MAX_TURNS = 100
export const MAX_CALLS = 200
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** How often a turn is tried again. */
export const repeatLimit = Type.Integer({
  minimum: 1,
  maximum: MAX_TURNS,
  description: "How often the message is sent, if no answer passes the check before. Each time is a turn.",
})

const Turn = Type.Object(
  {
    user: Type.String({ minLength: 1, description: "A template of the message of the user." }),
    metrics: optional(
      Type.Record(AnyName, MetricConfig, { maxProperties: 100, description: "Metrics of the answer of this turn." }),
    ),
    repeat: optional(Type.Object({ until: MetricConfig, limit: repeatLimit }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** The keys that both forms of a file have. */
export const CONVERSATION_PARTS = {
  system: optional(
    Type.String({
      minLength: 1,
      description: "A template of the system message of a conversation.",
      examples: ["You serve {{ shop }}."],
    }),
  ),
  state: optional(
    Type.Union([Type.Record(AnyName, Type.Unknown()), Type.String({ minLength: 1 })], {
      description:
        "What the tools of a conversation read and write: an object, whose texts may be templates over the row, or a template of one. Each conversation has its own.",
      examples: [{ orders: { A1: "shipped" } }],
    }),
  ),
} as const

/** The limits of one conversation. One that reaches a limit ends there and is scored. */
export const CONVERSATION_LIMITS = {
  turns: optional(
    Type.Integer({ minimum: 1, maximum: MAX_TURNS, default: MAX_TURNS, description: "Turns of a conversation." }),
  ),
  calls: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_CALLS,
      default: MAX_CALLS,
      description: "Calls of tools in a conversation.",
    }),
  ),
  time: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 86_400,
      description: "Seconds of a conversation: those of its answers and of the delays of its tools. Default: no limit.",
    }),
  ),
} as const

const template = (description: string, example: string) =>
  Type.String({ minLength: 1, description, examples: [example] })

/** The instructions of a simulated user, in both forms of a file. */
export const USER_PARTS = {
  goal: template("A template of what the user wants.", "Cancel the order {{ order }}."),
  facts: optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 })], {
      description:
        "Templates of the facts that the user knows. Its instructions forbid any other statement about itself.",
      examples: [["The number of the order is {{ order }}."]],
    }),
  ),
  persona: optional(
    template("A template of who the user is, and how it writes.", "Impatient, writes in short sentences."),
  ),
} as const

const SimulatedUser = Type.Object(
  {
    ...USER_PARTS,
    model: EvaluationModel,
    stop: optional(
      Type.Union([Type.String({ minLength: 1 }), MetricConfig], {
        description: "When the user ends the conversation: a rule in words, or a metric that an answer has to pass.",
      }),
    ),
    judge: optional(EvaluationModel),
  },
  { additionalProperties: false, description: "A model that writes the messages of the user." },
)
export type SimulatedUser = Static<typeof SimulatedUser>

const Tools = toolsSchema(PROGRAM_TEXTS, {})

/** A conversation of the long form, as `params.conversation` of a task of type `conversation`. */
export const ConversationConfig = Type.Object(
  {
    ...CONVERSATION_PARTS,
    tools: optional(Tools),
    tool_models: optional(
      Type.Array(Type.Object({ tool: Type.String(), model: EvaluationModel }, { additionalProperties: false }), {
        description: "The models that play tools, by the names of the tools, which have no `answers`.",
      }),
    ),
    turns: optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Array(Turn, { minItems: 1, maxItems: MAX_TURNS })], {
        description: "The turns, or a template that gives the list of them from the row.",
      }),
    ),
    user: optional(SimulatedUser),
    limits: optional(
      Type.Object(
        {
          ...CONVERSATION_LIMITS,
          tokens: optional(
            Type.Integer({ minimum: 1, maximum: 1e9, description: "Tokens of a conversation. Default: no limit." }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: "ConversationConfig", additionalProperties: false },
)
export type ConversationConfig = Static<typeof ConversationConfig>
export type ConversationTool = NonNullable<ConversationConfig["tools"]>[number]
export type ConversationLimits = NonNullable<ConversationConfig["limits"]>
