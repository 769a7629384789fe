import { Type, type Static } from "@sinclair/typebox"

/** What a job may use of its target. Retries and judges are not counted. */
export const JobBudget = Type.Object(
  {
    max_requests: Type.Optional(Type.Integer({ minimum: 1, description: "Rows that are asked, each repeat once." })),
    max_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: "Tokens of prompts and answers together, as the endpoint counts them." }),
    ),
    max_cost: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: "In the currency of the price table, which must have a price of the target's model.",
      }),
    ),
    max_duration: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 31_536_000, description: "Seconds of one attempt." }),
    ),
  },
  { $id: "JobBudget", additionalProperties: false },
)
export type JobBudget = Static<typeof JobBudget>
export type BudgetLimit = keyof JobBudget
