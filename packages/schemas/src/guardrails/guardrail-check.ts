import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../any-name.ts"
import { enumeration } from "../enumeration.ts"
import { ChatBody, TokenUsage } from "../inference/chat.ts"
import { GuardrailData, GuardrailModel } from "./guardrail-configuration.ts"
import { Unreadable, Verdict } from "./verdict.ts"

export const CHECK_STATUSES = ["success", "blocked", "unknown"] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/** Which configuration a request is checked with: one by name, or one that comes along. */
export const GuardrailChoice = Type.Object(
  {
    config_id: Type.Optional(
      Type.String({ minLength: 1, description: "A name in the workspace of the path, or `<workspace>/<name>`." }),
    ),
    config: Type.Optional(GuardrailData),
    models: Type.Optional(
      Type.Array(GuardrailModel, {
        description:
          "These take the place of the configuration's models of the same type: endpoints for a built-in one.",
      }),
    ),
  },
  { $id: "GuardrailChoice", additionalProperties: false },
)
export type GuardrailChoice = Static<typeof GuardrailChoice>

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

export const CheckAnswer = Type.Object(
  {
    status: enumeration(CHECK_STATUSES),
    rails_status: Type.Record(AnyName, Type.Object({ status: enumeration(CHECK_STATUSES) })),
    guardrails_data: Type.Object({ log: Type.Object({ activated_rails: Type.Array(ActivatedRail) }) }),
  },
  { $id: "CheckAnswer" },
)
export type CheckAnswer = Static<typeof CheckAnswer>
