import type { FilterFields } from "./filter-fields.ts"

const RECORD = {
  id: { kind: "text" },
  name: { kind: "text", canBeEmpty: true },
  description: { kind: "text", canBeEmpty: true },
  created_at: { kind: "date" },
  updated_at: { kind: "date" },
} as const satisfies FilterFields

const IN_WORKSPACE = {
  ...RECORD,
  workspace: { kind: "text" },
  project: { kind: "text", canBeEmpty: true },
} as const satisfies FilterFields

/** The fields that workspaces can be filtered by. `entity_type` is the original platform's word for the kind of a record. */
export const WORKSPACE_FILTER_FIELDS: FilterFields = { ...RECORD, entity_type: { kind: "text", always: "workspace" } }

/** The fields that projects can be filtered by. */
export const PROJECT_FILTER_FIELDS: FilterFields = {
  ...RECORD,
  workspace: { kind: "text" },
  entity_type: { kind: "text", always: "project" },
}

/** The fields that guardrail configurations can be filtered by. */
export const GUARDRAIL_FILTER_FIELDS: FilterFields = {
  ...IN_WORKSPACE,
  entity_type: { kind: "text", always: "guardrail_config" },
}

/** The fields that models can be filtered by. No model has `adapters` or a `prompt`; clients of the original platform ask for them. */
export const MODEL_FILTER_FIELDS: FilterFields = {
  ...IN_WORKSPACE,
  fileset: { kind: "text", canBeEmpty: true },
  base_model: { kind: "text", within: "described" },
  api_endpoint: { kind: "json", within: "described" },
  adapters: { kind: "json", within: "described" },
  prompt: { kind: "json", within: "described" },
  entity_type: { kind: "text", always: "model" },
}
