import type { ConditionEntry } from "./error-entry.ts"
import { EVALUATION_ERRORS } from "./evaluation-errors.ts"
import { GUARDRAIL_ERRORS } from "./guardrail-errors.ts"
import { INFERENCE_ERRORS } from "./inference-errors.ts"

/** Every known condition by code. Code, documentation and tests use this list. */
export const CONDITIONS = {
  ...INFERENCE_ERRORS,
  ...GUARDRAIL_ERRORS,
  ...EVALUATION_ERRORS,
  disk_full: {
    status: 507,
    title: "The disk is full",
    meaning: "The disk of the runner or of the storage is full.",
    remedy: "Free space, then resume the job: rows with an answer are kept.",
    retry: "later",
  },
} as const satisfies Record<string, ConditionEntry>
export type ConditionCode = keyof typeof CONDITIONS

export const CONDITION_CODES = Object.keys(CONDITIONS) as readonly ConditionCode[]
