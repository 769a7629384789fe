import { Type, type Static } from "@sinclair/typebox"
import { Timestamp } from "../../records/field-types.ts"

/** A change of a baseline keeps the jobs before it, up to this many. */
export const MAX_BASELINE_HISTORY = 100

const Job = Type.String({ minLength: 1, maxLength: 200, examples: ["eval-3QJmnh8Y1kGqvS4cQKFJ2b"] })

/** A name for the results that later jobs have to keep up with. */
export const Baseline = Type.Object(
  {
    namespace: Type.String(),
    name: Type.String(),
    job: Job,
    history: Type.Array(
      Type.Object({ job: Job, at: Timestamp, by: Type.String({ description: "The name of the token that set it." }) }),
      { description: `The jobs that it pointed to, the newest first and at most ${MAX_BASELINE_HISTORY}.` },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Baseline" },
)
export type Baseline = Static<typeof Baseline>

export const SetBaselineBody = Type.Object(
  { job: Type.String({ ...Job, description: "A job of the same workspace that has a result." }) },
  { $id: "SetBaselineBody", additionalProperties: false },
)
export type SetBaselineBody = Static<typeof SetBaselineBody>

export const BaselineList = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(Baseline) },
  { $id: "BaselineList" },
)
export type BaselineList = Static<typeof BaselineList>
