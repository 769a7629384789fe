/** The kind of write: one request or parts. Some stores support conditions only for one request. */
export type WriteKind = "put" | "upload"
export type Condition = "if-match" | "if-none-match"

/** Known results: whether a bucket supports a condition for a kind of write. */
export type KnownConditions = Map<string, Promise<boolean>>
