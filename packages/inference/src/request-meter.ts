import type { TokenUsage } from "@assay/schemas"

/** Counts what the clients of a context use. */
export interface RequestMeter {
  /** Counts a request that is about to be sent. */
  sent(model: string): void
  /** Counts the tokens of an answer, as the endpoint counts them; null if it does not say. */
  answered(model: string, usage: TokenUsage | null): void
}
