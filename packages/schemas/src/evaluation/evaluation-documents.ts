import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { EvaluationConfig, type EvaluationConfigBody } from "./evaluation-config.ts"
import { evaluationPageOf } from "./jobs/evaluation-job.ts"
import { EvaluationTarget, type EvaluationTargetBody } from "./evaluation-target.ts"

/** Each given key replaces the whole value, and null removes it. The name and the namespace can't change. */
export const UpdateEvaluationTarget = Type.Record(AnyName, Type.Unknown(), {
  $id: "UpdateEvaluationTarget",
  description: "Keys of a target with their new values; null removes a key.",
})
export type UpdateEvaluationTarget = Partial<Record<keyof EvaluationTargetBody, unknown>> & Record<string, unknown>

export const UpdateEvaluationConfig = Type.Record(AnyName, Type.Unknown(), {
  $id: "UpdateEvaluationConfig",
  description: "Keys of a configuration with their new values; null removes a key.",
})
export type UpdateEvaluationConfig = Partial<Record<keyof EvaluationConfigBody, unknown>> & Record<string, unknown>

/** A deleted record, with the fields that clients of the first version read. */
export const DeletedEvaluationDocument = Type.Object(
  { id: Type.String(), message: Type.String(), deleted_at: Type.Union([Type.String(), Type.Null()]) },
  { $id: "DeletedEvaluationDocument", additionalProperties: true },
)
export type DeletedEvaluationDocument = Static<typeof DeletedEvaluationDocument>

export const EvaluationTargetPage = evaluationPageOf(EvaluationTarget, "EvaluationTargetPage")
export type EvaluationTargetPage = Omit<Static<typeof EvaluationTargetPage>, "data"> & { data: EvaluationTarget[] }

export const EvaluationConfigPage = evaluationPageOf(EvaluationConfig, "EvaluationConfigPage")
export type EvaluationConfigPage = Omit<Static<typeof EvaluationConfigPage>, "data"> & { data: EvaluationConfig[] }
