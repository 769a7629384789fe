import { Type, type Static } from "@sinclair/typebox"
import { numberField } from "../../records/number-field.ts"

/** The limits on the use of the target by a job. Retries and judges are not counted. */
export const JobBudget = Type.Object(
  {
    max_requests: Type.Optional(numberField("count", { description: "Rows that are asked, each repeat once." })),
    max_tokens: Type.Optional(
      numberField("count", { description: "Tokens of prompts and answers together, as the endpoint counts them." }),
    ),
    max_cost: Type.Optional(
      numberField("money", {
        description: "In the currency of the price table, which must have a price of the target's model.",
      }),
    ),
    max_duration: Type.Optional(numberField("seconds", { description: "Seconds of one attempt." })),
  },
  { $id: "JobBudget", additionalProperties: false },
)
export type JobBudget = Static<typeof JobBudget>
export type BudgetLimit = keyof JobBudget
