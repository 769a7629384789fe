import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../../records/field-types.ts"

/** The parts of what gives a score its meaning. */
export const IDENTITY_PARTS = ["type", "version", "model_id", "inference_params", "prompt", "parser", "params"] as const
export type IdentityPart = (typeof IDENTITY_PARTS)[number]

/** The differences in the meaning of a score between two results. */
export const ChangedIdentity = Type.Object(
  { changed: Type.Array(enumeration(IDENTITY_PARTS)) },
  {
    description:
      "What differs in the meaning of the score between the two jobs. `verdict` is then null, unless `allow_changed`: the difference says nothing about the jobs. Absent: the score measures the same in both.",
  },
)
export type ChangedIdentity = Static<typeof ChangedIdentity>
