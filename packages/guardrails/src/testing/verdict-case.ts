/**
 * An answer, what it must be read as, and the categories. The reading is `user`, `user/response` or `/response` of a verdict, or
 * the reason why there is none.
 */
export type VerdictCase = readonly [answer: unknown, reading: string, categories?: readonly string[]]
