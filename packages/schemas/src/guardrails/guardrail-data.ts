import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"
import { GuardrailModel } from "./guardrail-model.ts"
import { GuardrailPrompt } from "./guardrail-prompt.ts"
import { GuardrailRails } from "./guardrail-rails.ts"
import { vendorKey } from "./vendor-key.ts"

export const RAIL_DECISIONS = ["block", "allow", "error"] as const
export type RailDecision = (typeof RAIL_DECISIONS)[number]

export const ENSEMBLE_KINDS = ["majority", "any-block", "cascade"] as const
export type EnsembleKind = (typeof ENSEMBLE_KINDS)[number]

/** What a rail does where there is no clear verdict. */
export const RailPolicy = Type.Object(
  {
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
 * Keys of NeMo Guardrails besides models, prompts and rails. What has an effect here says which; the others are kept and answered as
 * they are, with a warning if they are set to do something.
 */
const VENDOR_KEYS = {
  instructions: vendorKey(
    Type.Array(Instruction, {
      description:
        "The text of the first of type `general` is put in front of a chat as a system message, unless `passthrough` is true.",
    }),
  ),
  sample_conversation: vendorKey(Type.String({ description: "Prompts may read it." })),
  prompting_mode: vendorKey(
    Type.String({ description: "Prompts of this `mode` come before those of mode `standard`. Absent: standard." }),
  ),
  lowest_temperature: vendorKey(
    Type.Number({
      minimum: 0,
      description: "The temperature of judges, in place of their own. Absent: their own, or 0.",
    }),
  ),
  passthrough: vendorKey(Type.Boolean()),
  bot_messages: vendorKey(
    Type.Record(AnyName, Type.Array(Type.String()), {
      description: "`refuse to respond` is the refusal, unless there is `refusal`.",
    }),
  ),
  colang_version: vendorKey(Type.Union([Type.String(), Type.Number()])),
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
}

/** Which judges look at what goes into a model and what comes out of it: a `config.yml` of NeMo Guardrails, with keys of ours. */
export const GuardrailData = Type.Object(
  {
    models: Type.Optional(
      Type.Array(GuardrailModel, {
        description: "Without one of type `main`, the model of the request serves as main.",
      }),
    ),
    prompts: Type.Optional(Type.Array(GuardrailPrompt)),
    rails: Type.Optional(GuardrailRails),
    policies: Type.Optional(Type.Record(AnyName, RailPolicy, { description: "By flow, as it is written in `flows`." })),
    ensembles: Type.Optional(Type.Array(GuardrailEnsemble)),
    refusal: Type.Optional(
      Type.String({
        description:
          "What stands in place of a blocked answer. Absent: `bot_messages.refuse to respond`, else \"I'm sorry, I can't respond to that.\"",
      }),
    ),
    ...VENDOR_KEYS,
  },
  { $id: "GuardrailData", additionalProperties: false },
)
export type GuardrailData = Static<typeof GuardrailData>
