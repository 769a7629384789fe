import { Type, type Static } from "@sinclair/typebox"
import type { ConditionEntry } from "../errors/error-entry.ts"
import { Timestamp, enumeration } from "../records/field-types.ts"
import { GUARDRAIL_ERRORS } from "../errors/guardrail-errors.ts"
import { INFERENCE_ERRORS } from "../errors/inference-errors.ts"
import { EVALUATION_ERRORS } from "../errors/evaluation-errors.ts"

/** Every known condition, by code: the one source of code, documentation and tests. */
export const CONDITIONS = {
  ...INFERENCE_ERRORS,
  ...GUARDRAIL_ERRORS,
  ...EVALUATION_ERRORS,
  disk_full: {
    status: 507,
    title: "The disk is full",
    meaning: "The disk of the runner or of the storage has no room left.",
    remedy: "Free space, then resume the job: answered rows are kept.",
    retry: "later",
  },
} as const satisfies Record<string, ConditionEntry>
export type ConditionCode = keyof typeof CONDITIONS

export const CONDITION_CODES = Object.keys(CONDITIONS) as readonly ConditionCode[]

/** A condition as it was found in a job. */
export const Condition = Type.Object(
  {
    code: enumeration(CONDITION_CODES as readonly string[]),
    title: Type.String(),
    message: Type.String({ description: "What happened here, with names and values." }),
    evidence: Type.Array(Type.String(), { description: "Lines of the log, or answers, that show it." }),
    remedy: Type.String(),
    count: Type.Integer({ description: "Rows or events that showed it." }),
    first_seen: Timestamp,
    last_seen: Timestamp,
  },
  { $id: "Condition" },
)
export type Condition = Omit<Static<typeof Condition>, "code"> & { code: ConditionCode }
