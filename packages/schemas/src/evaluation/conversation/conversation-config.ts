import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyName } from "../../records/field-types.ts"
import { EvaluationModel } from "../evaluation-target.ts"
import { MetricConfig } from "../metrics/metric-config.ts"

/** The highest values of limits that a file can set, which are also their defaults. */
export const MAX_TURNS = 100
export const MAX_CALLS = 200
/** Maximum number of tools, and of answers of a tool. */
const MAX_TOOLS = 128
const MAX_ANSWERS = 1000
/** Seconds. */
const MAX_DELAY = 60

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

const ToolAnswer = Type.Object(
  {
    when: optional(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Arguments that a call must have for this answer; others may be beside them. The first answer that fits is used. Default: any call.",
        examples: [{ id: "A1" }],
      }),
    ),
    result: optional(
      Type.Unknown({
        description:
          "What the tool returns: any value, whose texts may be templates over the row, `arguments` and `state`. Default: null.",
        examples: [{ status: "shipped" }],
      }),
    ),
    error: optional(
      Type.String({
        minLength: 1,
        description: "Instead of a result: a message of an error, which the model gets.",
        examples: ["no such order"],
      }),
    ),
    delay: optional(
      Type.Number({ minimum: 0, maximum: MAX_DELAY, default: 0, description: "Seconds until the answer." }),
    ),
    set: optional(
      Type.Record(AnyName, Type.Unknown(), {
        maxProperties: 100,
        description: "Values that the call writes into the state, by their path in it.",
        examples: [{ "orders.A1": "cancelled" }],
      }),
    ),
  },
  { additionalProperties: false, description: "An answer of a tool." },
)

const Tool = Type.Object(
  {
    name: Type.String({
      pattern: "^[A-Za-z0-9_-]{1,64}$",
      description: "The name that the model calls.",
      examples: ["get_order"],
    }),
    description: optional(
      Type.String({ description: "What it does, for the model.", examples: ["Where an order is."] }),
    ),
    parameters: optional(
      Type.Record(AnyName, Type.Unknown(), {
        description: "A JSON Schema of its arguments. Calls that do not satisfy it are malformed. Default: any object.",
        examples: [{ type: "object", properties: { id: { type: "string" } }, required: ["id"] }],
      }),
    ),
    answers: Type.Union(
      [Type.Array(ToolAnswer, { minItems: 1, maxItems: MAX_ANSWERS }), Type.String({ minLength: 1 })],
      {
        description:
          "What it returns: a list of answers, or a template that gives from the row a list of `{when, result}` and `{when, error}`, which are data. Of the answers of a row that fit, equal calls get one after the other.",
      },
    ),
  },
  { additionalProperties: false, description: "A tool with answers that are written out." },
)
export type ConversationTool = Static<typeof Tool>

/** The keys that both forms of a file have. */
export const CONVERSATION_PARTS = {
  system: optional(
    Type.String({
      minLength: 1,
      description: "A template of the system message of a conversation.",
      examples: ["You serve {{ shop }}."],
    }),
  ),
  tools: optional(
    Type.Array(Tool, { maxItems: MAX_TOOLS, description: "The tools that the model may call in a conversation." }),
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

/** What a simulated user is told, in both forms of a file. */
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

/** A conversation of the long form, as `params.conversation` of a task of type `conversation`. */
export const ConversationConfig = Type.Object(
  {
    ...CONVERSATION_PARTS,
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
export type ConversationLimits = NonNullable<ConversationConfig["limits"]>
