import { Type, type Static } from "@sinclair/typebox"
import { ValidationIssue } from "../errors/error-body.ts"
import { ChatBody, TokenUsage } from "../inference/chat.ts"
import { AnyName, enumeration } from "../records/field-types.ts"
import { GuardrailChoice } from "./guardrail-choice.ts"
import { Unreadable, Verdict } from "./verdict.ts"

export const CHECK_STATUSES = ["success", "blocked", "unknown"] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/** A chat body, and what it is checked with. An assistant's message at the end is what output rails look at. */
export const CheckRequest = Type.Intersect([ChatBody, Type.Object({ guardrails: GuardrailChoice })], {
  $id: "CheckRequest",
})
export type CheckRequest = ChatBody & { guardrails: GuardrailChoice }

const Usage = Type.Union([TokenUsage, Type.Null()])

/** A rail that ran, or a member of an ensemble. */
const railFields = {
  name: Type.String({ description: "The flow as the configuration writes it." }),
  status: enumeration(CHECK_STATUSES),
  verdict: Type.Union([Verdict, Type.Null()]),
  unreadable: Type.Union([Unreadable, Type.Null()]),
  policy: Type.Union([Type.String({ examples: ["on_unreadable=block"] }), Type.Null()], {
    description: "The policy that decided, where the verdict did not.",
  }),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], {
    description: "How asking the judge failed.",
  }),
  latency_ms: Type.Number(),
  usage: Usage,
}

export const RailMember = Type.Object({ ...railFields, asked: Type.Boolean() }, { $id: "RailMember" })
export type RailMember = Static<typeof RailMember>

export const ActivatedRail = Type.Object(
  {
    ...railFields,
    members: Type.Optional(Type.Array(RailMember, { description: "Of an ensemble, in the order of its flows." })),
    calls_saved: Type.Optional(Type.Integer({ description: "Members of an ensemble that need not be asked." })),
  },
  { $id: "ActivatedRail" },
)
export type ActivatedRail = Static<typeof ActivatedRail>

/** What the rails found, and what of the request and its configuration has no effect. */
export const GuardrailsData = Type.Object({
  log: Type.Object({ activated_rails: Type.Array(ActivatedRail) }),
  warnings: Type.Optional(
    Type.Array(ValidationIssue, {
      description: "Keys of the request and of its configuration that have no effect here. Absent: none.",
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

/** A chat completion as its model's endpoint wrote it, or the refusal in its place, with what the rails found. */
export const GuardedChat = Type.Object(
  {
    choices: Type.Array(Type.Record(AnyName, Type.Unknown()), {
      description: "A blocked answer has the configured refusal, and `finish_reason` `content_filter`.",
    }),
    guardrails_data: GuardrailsData,
  },
  { $id: "GuardedChat", additionalProperties: true },
)
export type GuardedChat = Static<typeof GuardedChat> & Readonly<Record<string, unknown>>
