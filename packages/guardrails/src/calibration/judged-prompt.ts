/** What one ask of a candidate came to. Only `block` and `pass` are verdicts. */
export interface JudgedPrompt {
  readonly outcome: "pass" | "block" | "unreadable" | "error"
  /** Why there is no verdict: the reason of an unreadable answer, or the code of the error. */
  readonly reason?: string
  readonly message?: string
  /** Whether the text would be let through, under the policies of the rails. */
  readonly is_let_through: boolean
  /** How sure of harm the judge is, 0 to 1. */
  readonly score?: number
  /** The judge's own words, cut at 2,000 characters. */
  readonly raw?: string
  readonly latency_ms: number
  /** Calls of models, and those that an ensemble could do without. */
  readonly calls: { readonly made: number; readonly saved: number }
  readonly tokens: { readonly prompt: number; readonly completion: number } | null
}
