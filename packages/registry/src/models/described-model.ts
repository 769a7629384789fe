import { invalidRequest, type CreateModel, type Model, type ModelSpec, type UpdateModel } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { ModelTable } from "@assay/database"

type Described = Pick<Model, "api_endpoint" | "base_model" | "model_providers">
type Given = Pick<UpdateModel, "spec" | "api_endpoint" | "base_model" | "model_providers">

const NOTHING: Described = { api_endpoint: null, base_model: null, model_providers: [] }

/** Returns what clients have said about the model in a row. */
export function describedIn({ described }: Pick<Selectable<ModelTable>, "described">): Described {
  return described === null ? NOTHING : { ...NOTHING, ...JSON.parse(described) }
}

/** Returns the column with what a body says. Undefined if it says nothing, so that the column keeps its value. */
export function withDescription(kept: Described, body: Given): string | undefined {
  const { api_endpoint, base_model, model_providers } = body
  const said = {
    ...(api_endpoint === undefined ? {} : { api_endpoint }),
    ...(base_model === undefined ? {} : { base_model }),
    ...(model_providers === undefined ? {} : { model_providers: model_providers ?? [] }),
  }
  return Object.keys(said).length === 0 ? undefined : JSON.stringify({ ...kept, ...said })
}

const UNKNOWN: ModelSpec = {
  checkpoint_model_name: "",
  family: "",
  context_size: null,
  num_layers: null,
  hidden_size: null,
  num_attention_heads: null,
  num_kv_heads: null,
  ffn_hidden_size: null,
  vocab_size: null,
  tied_embeddings: false,
  gated_mlp: false,
  precision: null,
  quantization: null,
  moe_config: null,
  mamba_config: null,
  sliding_window_config: null,
  linear_layers: [],
  is_chat: false,
  is_embedding_model: false,
  embedding_reasons: [],
  chat_template: null,
  tool_call_config: null,
  base_num_parameters: null,
  parameters_estimated: false,
  weights_bytes: 0,
  minimum_gpus_all_weights: null,
  minimum_gpus_lora: null,
  num_virtual_tokens: 0,
}

/**
 * Returns the specification that a body gives for a model with this fileset, as a whole one. Null removes it; undefined: none is given.
 * @throws `invalid_request` if the model has a fileset, because its analysis would replace what is given
 */
export function givenSpec({ spec }: Pick<CreateModel, "spec">, fileset: string): string | null | undefined {
  if (spec === undefined) return undefined
  if (fileset !== "" && spec !== null) {
    const msg = `is read from the checkpoint in '${fileset}'; leave it out, or create a model without a fileset`
    throw invalidRequest(["body", "spec"], msg, "spec_is_analysed")
  }
  if (spec === null) return null
  const { tool_call_config: tools = null } = spec
  const whole = { tool_call_parser: null, auto_tool_choice: null, ...tools, tool_call_plugin: null }
  return JSON.stringify({ ...UNKNOWN, ...spec, tool_call_config: tools === null ? null : whole })
}

/** Returns the analysis of a model without a fileset, which ended when the record was made. */
export function noAnalysis(time: string): Model["analysis"] {
  return {
    status: "completed",
    error: null,
    warnings: ["The model has no fileset, so there is no checkpoint to analyse."],
    bytes_read: 0,
    requests: 0,
    analyzed_at: time,
  }
}
