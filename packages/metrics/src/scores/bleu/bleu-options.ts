/** How BLEU is computed; the defaults are sacreBLEU's. */
export interface BleuOptions {
  /**
   * What stands in for a precision of 0: `exp` halves for each such order (NIST), `floor` counts `smoothingValue` matches,
   * `add-k` adds `smoothingValue` to matches and totals above unigrams. Default `exp`.
   */
  readonly smoothing?: "exp" | "floor" | "add-k" | "none"
  /** Default 0.1 for `floor`, 1 for `add-k`. */
  readonly smoothingValue?: number
  /** The longest n-grams that count. Default 4. */
  readonly maxOrder?: number
  /** Leaves out orders that the candidates are too short for. Default true for sentences, false for a corpus. */
  readonly effectiveOrder?: boolean
  /** `none` splits at blanks alone. Default `13a`. */
  readonly tokenizer?: "13a" | "char" | "none"
  /** Default false. */
  readonly lowercase?: boolean
}
