/** The rate at which all workers send requests to an endpoint. */
export interface EndpointPaceTable {
  /** The digest of the address and the key. */
  digest: string
  /** JSON that only the pacers of requests read. */
  pace: string
  /** Milliseconds since 1970, by the clock of the database. */
  changed_at: number
}

/** The budget of a workspace for each month. */
export interface BudgetTable {
  workspace: string
  max_requests: number | null
  max_tokens: number | null
  max_cost: number | null
}

/** The use by the jobs of a workspace in a calendar month. */
export interface UsageTable {
  workspace: string
  /** Such as `2026-11`, UTC. */
  month: string
  requests: number
  prompt_tokens: number
  completion_tokens: number
  /** Those whose model has no price. */
  unpriced_tokens: number
  cost: number
  /** Empty: nothing with a price was used. */
  currency: string
}
