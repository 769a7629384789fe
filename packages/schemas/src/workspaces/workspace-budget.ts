import { Type, type Static } from "@sinclair/typebox"
import { orNull, Timestamp } from "../records/field-types.ts"
import { numberField } from "../records/number-field.ts"

/** The limits on the use by the jobs of a workspace in a calendar month. A limit that is left out does not exist. */
export const BudgetLimits = Type.Object(
  {
    max_requests: Type.Optional(
      numberField("count", { description: "Requests to models: targets and judges, each attempt once." }),
    ),
    max_tokens: Type.Optional(
      numberField("count", { description: "Tokens of prompts and answers together, as the endpoints count them." }),
    ),
    max_cost: Type.Optional(
      numberField("money", {
        description: "In the currency of the price table. Jobs whose models have no price are refused.",
      }),
    ),
  },
  { $id: "BudgetLimits", additionalProperties: false, minProperties: 1 },
)
export type BudgetLimits = Static<typeof BudgetLimits>

/** The use by the jobs of a workspace in a month. */
export const WorkspaceUsage = Type.Object(
  {
    requests: Type.Integer({ description: "Requests to models that were sent, each attempt once." }),
    prompt_tokens: Type.Integer({
      description: "Tokens of prompts, and all tokens of answers whose endpoint gives only a sum.",
    }),
    completion_tokens: Type.Integer(),
    unpriced_tokens: Type.Integer({
      description: "Those tokens whose model has no price, or whose parts are not known: `cost` does not contain them.",
    }),
    cost: Type.Unsafe<{ amount: number; currency: string } | null>({
      anyOf: [Type.Object({ amount: Type.Number(), currency: Type.String() }), { type: "null" }],
      description: "By the price table of the server; null if no tokens with a price were used.",
    }),
  },
  { $id: "WorkspaceUsage" },
)
export type WorkspaceUsage = Static<typeof WorkspaceUsage>

/** The budget of a workspace and its use in the current month. */
export const WorkspaceBudget = Type.Object(
  {
    workspace: Type.String(),
    month: Type.String({ description: "The current calendar month, UTC.", examples: ["2026-11"] }),
    resets_at: Timestamp,
    limits: Type.Unsafe<Partial<BudgetLimits>>({
      ...Type.Object(BudgetLimits.properties),
      description: "Empty: the workspace has no budget.",
    }),
    usage: WorkspaceUsage,
    exhausted: orNull<string>("string", "The limit that is reached, such as `max_tokens`; null if none is."),
    warning: Type.Optional(
      Type.String({ description: "Why launches are refused although no limit is reached. Absent: they are not." }),
    ),
  },
  { $id: "WorkspaceBudget" },
)
export type WorkspaceBudget = Static<typeof WorkspaceBudget>

/** The use by the jobs of a workspace in one month. */
export const MonthUsage = Type.Object(
  { workspace: Type.String(), month: Type.String({ examples: ["2026-11"] }), ...WorkspaceUsage.properties },
  { $id: "MonthUsage" },
)
export type MonthUsage = Static<typeof MonthUsage>

/** The use by the jobs of all workspaces that the caller sees, month by month. */
export const Spending = Type.Object(
  {
    data: Type.Array(MonthUsage, { description: "The newest month first. A month without use is left out." }),
    month: WorkspaceBudget.properties.month,
    started_at: Timestamp,
    resets_at: Timestamp,
  },
  { $id: "Spending" },
)
export type Spending = Static<typeof Spending>

/** Amounts that a budget limits. */
export interface SpentAmounts {
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** In the currency of the price table. */
  readonly cost: number
}

/** Returns the first limit that is reached; undefined if none is. */
export function reachedLimit(limits: BudgetLimits, spent: SpentAmounts): keyof BudgetLimits | undefined {
  return leftOfBudget(limits, spent).find(({ left }) => left <= 0)?.limit
}

/** Returns the rest of each limit, below 0 if it was exceeded. */
export function leftOfBudget(
  { max_requests, max_tokens, max_cost }: BudgetLimits,
  { requests, prompt_tokens, completion_tokens, cost }: SpentAmounts,
): readonly { readonly limit: keyof BudgetLimits; readonly left: number }[] {
  return [
    ...(max_requests === undefined ? [] : [{ limit: "max_requests" as const, left: max_requests - requests }]),
    ...(max_tokens === undefined
      ? []
      : [{ limit: "max_tokens" as const, left: max_tokens - prompt_tokens - completion_tokens }]),
    ...(max_cost === undefined ? [] : [{ limit: "max_cost" as const, left: max_cost - cost }]),
  ]
}
