import { Type, type Static } from "@sinclair/typebox"
import { ValidationIssue } from "../errors/error-body.ts"
import { ChatBody, TokenUsage } from "../inference/chat.ts"
import { TextCompletionBody } from "../inference/openai-bodies.ts"
import { AnyName, enumeration } from "../records/field-types.ts"
import { GuardrailChoice } from "./guardrail-choice.ts"
import { Unreadable, Verdict } from "./verdict.ts"

const RAIL_PLACES = ["input", "output", "tool_input", "tool_output"] as const
/** What a rail judges. */
export type RailPlace = (typeof RAIL_PLACES)[number]

const CHECK_STATUSES = ["success", "blocked", "unknown"] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/** A text to complete, and the guardrail that checks it. */
export const GuardedTextRequest = Type.Intersect([TextCompletionBody, Type.Object({ guardrails: GuardrailChoice })], {
  $id: "GuardedTextRequest",
})

/** A chat body, and the guardrail that checks it. Output rails check an assistant message at the end. */
export const CheckRequest = Type.Intersect([ChatBody, Type.Object({ guardrails: GuardrailChoice })], {
  $id: "CheckRequest",
})
export type CheckRequest = ChatBody & { guardrails: GuardrailChoice }

const Usage = Type.Union([TokenUsage, Type.Null()])

/** The fields of a rail that ran, or of a member of an ensemble. */
const railFields = {
  name: Type.String({ description: "The flow as it is written in the configuration." }),
  status: enumeration(CHECK_STATUSES),
  verdict: Type.Union([Verdict, Type.Null()]),
  unreadable: Type.Union([Unreadable, Type.Null()]),
  policy: Type.Union([Type.String({ examples: ["on_unreadable=block"] }), Type.Null()], {
    description: "The policy that decided, if the verdict did not.",
  }),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], {
    description: "The failure of the request to the judge.",
  }),
  latency_ms: Type.Number(),
  usage: Usage,
  prompt: Type.Optional(
    Type.Array(Type.Object({ role: Type.String(), content: Type.String() }), {
      description: "The messages that the judge was asked with. Only if `guardrails.options.log.llm_calls` is true.",
    }),
  ),
}

export const RailMember = Type.Object({ ...railFields, asked: Type.Boolean() }, { $id: "RailMember" })
export type RailMember = Static<typeof RailMember>

export const ActivatedRail = Type.Object(
  {
    ...railFields,
    members: Type.Optional(
      Type.Array(RailMember, { description: "The members of an ensemble, in the order of its flows." }),
    ),
    calls_saved: Type.Optional(
      Type.Integer({ description: "Number of ensemble members that did not have to be asked." }),
    ),
    type: Type.Optional(
      enumeration(RAIL_PLACES, {
        description:
          "What the rail judges: a text, the results of tools (`tool_input`) or calls of tools (`tool_output`).",
      }),
    ),
    reason: Type.Optional(Type.String({ description: "The finding of a rule, which asks no judge. Absent: none." })),
    stop: Type.Optional(Type.Boolean({ description: "Whether the rail blocked." })),
  },
  { $id: "ActivatedRail" },
)
export type ActivatedRail = Static<typeof ActivatedRail>

/** The findings of the rails, and the keys of the request and its configuration that have no effect. */
export const GuardrailsData = Type.Object({
  config_ids: Type.Optional(
    Type.Array(Type.String(), {
      description: "The stored configuration, `<workspace>/<name>`. Absent: the request contains it.",
    }),
  ),
  log: Type.Object({ activated_rails: Type.Array(ActivatedRail) }),
  warnings: Type.Optional(
    Type.Array(ValidationIssue, {
      description: "Keys of the request and of its configuration that have no effect. Absent: none.",
    }),
  ),
})
export type GuardrailsData = Static<typeof GuardrailsData>

export const CheckAnswer = Type.Object(
  {
    status: enumeration(CHECK_STATUSES),
    rails_status: Type.Record(AnyName, Type.Object({ status: enumeration(CHECK_STATUSES) })),
    guardrails_data: GuardrailsData,
  },
  { $id: "CheckAnswer" },
)
export type CheckAnswer = Static<typeof CheckAnswer>

/** The chat completion of the model's endpoint, or a refusal instead of it, with the findings of the rails. */
export const GuardedChat = Type.Object(
  {
    choices: Type.Array(Type.Record(AnyName, Type.Unknown()), {
      description: "A blocked answer is replaced by the configured refusal, with `finish_reason` `content_filter`.",
    }),
    // Absent if the request asks for it as a choice.
    guardrails_data: Type.Optional(GuardrailsData),
  },
  { $id: "GuardedChat", additionalProperties: true },
)
export type GuardedChat = Static<typeof GuardedChat> & Readonly<Record<string, unknown>>

/** The same as a response in OpenAI's form. */
export const GuardedResponse = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal("response"),
    status: Type.String({ description: "`completed` for a refusal too, `incomplete` if the model was cut." }),
    output: Type.Array(Type.Record(AnyName, Type.Unknown())),
    guardrails_data: GuardrailsData,
  },
  { $id: "GuardedResponse", additionalProperties: true },
)
export type GuardedResponse = Static<typeof GuardedResponse> & Readonly<Record<string, unknown>>
