import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"
import { GuardrailModel } from "./guardrail-model.ts"
import { GuardrailPrompt } from "./guardrail-prompt.ts"
import { GuardrailRails } from "./guardrail-rails.ts"
import { vendorKey } from "./vendor-key.ts"
import { numberField } from "../records/number-field.ts"

export const RAIL_DECISIONS = ["block", "allow", "error"] as const
export type RailDecision = (typeof RAIL_DECISIONS)[number]

const ENSEMBLE_KINDS = ["majority", "any-block", "cascade"] as const
export type EnsembleKind = (typeof ENSEMBLE_KINDS)[number]

/** The policy of a rail: its status without a clear verdict, and from which risk on it blocks. */
export const RailPolicy = Type.Object(
  {
    threshold: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          "The rail blocks if the probability of harm is at least this, by the log-probabilities of the verdict, and lets everything else pass. Without log-probabilities a verdict that blocks still blocks, and any other is unreadable (`no_score`). Absent: the verdict decides.",
      }),
    ),
    on_unreadable: Type.Optional(enumeration(RAIL_DECISIONS, { default: "block" })),
    on_controversial: Type.Optional(enumeration(RAIL_DECISIONS, { default: "block" })),
    on_error: Type.Optional(enumeration(RAIL_DECISIONS, { default: "error" })),
  },
  { $id: "RailPolicy", additionalProperties: false },
)
export type RailPolicy = Static<typeof RailPolicy>

export const GuardrailEnsemble = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    kind: enumeration(ENSEMBLE_KINDS),
    flows: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  },
  { $id: "GuardrailEnsemble", additionalProperties: false },
)
export type GuardrailEnsemble = Static<typeof GuardrailEnsemble>

const Settings = Type.Record(AnyName, Type.Unknown())
const Instruction = Type.Object({ type: Type.String(), content: Type.String() }, { additionalProperties: false })

/**
 * Keys of NeMo Guardrails besides models, prompts and rails. Keys with an effect describe it. The others are stored and returned
 * unchanged, with a warning if their value would have an effect in NeMo Guardrails.
 */
const VENDOR_KEYS = {
  instructions: vendorKey(
    Type.Array(Instruction, {
      description:
        "The text of the first instruction of type `general` becomes a system message at the start of a chat, unless `passthrough` is true.",
    }),
  ),
  sample_conversation: vendorKey(Type.String({ description: "Prompts can read it." })),
  prompting_mode: vendorKey(
    Type.String({
      description: "Prompts of this `mode` take precedence over those of mode `standard`. Absent: standard.",
    }),
  ),
  lowest_temperature: vendorKey(
    numberField("temperature", {
      description: "The temperature of judges, instead of their own. Absent: their own, or 0.",
    }),
  ),
  passthrough: vendorKey(Type.Boolean()),
  bot_messages: vendorKey(
    Type.Record(AnyName, Type.Array(Type.String()), {
      description: "`refuse to respond` is the refusal, unless there is `refusal`.",
    }),
  ),
  colang_version: vendorKey(Type.Union([Type.String(), numberField("sent")])),
  streaming: vendorKey(Type.Union([Type.Boolean(), Settings])),
  enable_multi_step_generation: vendorKey(Type.Boolean()),
  enable_rails_exceptions: vendorKey(Type.Boolean()),
  tracing: vendorKey(Settings),
  metrics: vendorKey(Settings),
  custom_data: vendorKey(Settings),
  knowledge_base: vendorKey(Settings),
  core: vendorKey(Settings),
  docs: vendorKey(Type.Array(Type.Unknown())),
  user_messages: vendorKey(Settings),
  flows: vendorKey(Type.Array(Type.Unknown())),
  import_paths: vendorKey(Type.Array(Type.String())),
  imported_paths: vendorKey(Settings),
  config_path: vendorKey(Type.String()),
  actions_server_url: vendorKey(Type.String()),
  raw_llm_call_action: vendorKey(Type.String()),
  event_source_uid: vendorKey(Type.String()),
}

/** The judges of a model's input and output: a `config.yml` of NeMo Guardrails with additional keys of Assay. */
export const GuardrailData = Type.Object(
  {
    models: Type.Optional(
      Type.Array(GuardrailModel, {
        description: "Without a model of type `main`, the model of the request is used as main.",
      }),
    ),
    prompts: Type.Optional(Type.Array(GuardrailPrompt)),
    rails: Type.Optional(GuardrailRails),
    policies: Type.Optional(
      Type.Record(AnyName, RailPolicy, { description: "Policies by flow, as it is written in `flows`." }),
    ),
    ensembles: Type.Optional(Type.Array(GuardrailEnsemble)),
    refusal: Type.Optional(
      Type.String({
        description:
          "The text that replaces a blocked answer. Absent: `bot_messages.refuse to respond`, else \"I'm sorry, I can't respond to that.\"",
      }),
    ),
    ...VENDOR_KEYS,
  },
  { $id: "GuardrailData", additionalProperties: false },
)
export type GuardrailData = Static<typeof GuardrailData>
