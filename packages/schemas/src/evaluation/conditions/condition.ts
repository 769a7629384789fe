import { Type, type Static } from "@sinclair/typebox"
import { CONDITION_CODES, type ConditionCode } from "../../errors/condition-catalogue.ts"
import { Timestamp, enumeration } from "../../records/field-types.ts"

/** A condition that was found in a job. */
export const Condition = Type.Object(
  {
    code: enumeration(CONDITION_CODES as readonly string[]),
    title: Type.String(),
    message: Type.String({ description: "The event, with names and values." }),
    evidence: Type.Array(Type.String(), { description: "Lines of the log or answers that show the condition." }),
    remedy: Type.String(),
    count: Type.Integer({ description: "Number of rows or events that show the condition." }),
    first_seen: Timestamp,
    last_seen: Timestamp,
  },
  { $id: "Condition" },
)
export type Condition = Omit<Static<typeof Condition>, "code"> & { code: ConditionCode }
