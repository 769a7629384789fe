/**
 * An answer, its expected reading, and its categories. The reading is `user`, `user/response` or `/response` of a verdict, or the
 * reason why there is none.
 */
export type VerdictCase = readonly [answer: unknown, reading: string, categories?: readonly string[]]
