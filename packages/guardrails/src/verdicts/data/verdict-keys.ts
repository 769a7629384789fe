import type { KeyGroup, Side } from "../statements/statement.ts"

/** The vocabulary of a key's values. */
export type Vocabulary = "safety" | "three-tier" | "harm" | "yes-no" | "flag" | "safe-flag"

export interface VerdictKey {
  readonly side: Side
  readonly group: KeyGroup
  readonly vocabulary: Vocabulary
}

/** The keys of verdicts, in lower case without spaces. */
export const VERDICT_KEYS: ReadonlyMap<string, VerdictKey> = new Map<string, VerdictKey>([
  ["usersafety", { side: "user", group: "user-safety", vocabulary: "safety" }],
  ["responsesafety", { side: "response", group: "user-safety", vocabulary: "safety" }],
  ["promptharm", { side: "user", group: "harm", vocabulary: "harm" }],
  ["responseharm", { side: "response", group: "harm", vocabulary: "harm" }],
  ["harmfulrequest", { side: "user", group: "wildguard", vocabulary: "yes-no" }],
  ["harmfulresponse", { side: "response", group: "wildguard", vocabulary: "yes-no" }],
  ["safety", { side: "place", group: "qwen", vocabulary: "three-tier" }],
  ["isunsafe", { side: "place", group: "qwen", vocabulary: "flag" }],
  ["issafe", { side: "place", group: "qwen", vocabulary: "safe-flag" }],
  ["flagged", { side: "place", group: "flagged", vocabulary: "flag" }],
])

/** The keys of lists of categories. */
export const CATEGORY_KEYS: ReadonlySet<string> = new Set([
  "safetycategories",
  "safetycategory",
  "violatedcategories",
  "categories",
  "category",
])

/** The words of each vocabulary. Any other word is an unknown value: nothing is guessed from it. */
export const VOCABULARIES: Readonly<Record<Vocabulary, Readonly<Record<string, "safe" | "unsafe" | "controversial">>>> =
  {
    safety: { safe: "safe", unsafe: "unsafe", "not safe": "unsafe" },
    "three-tier": { safe: "safe", unsafe: "unsafe", "not safe": "unsafe", controversial: "controversial" },
    harm: { unharmful: "safe", harmful: "unsafe" },
    "yes-no": { no: "safe", yes: "unsafe" },
    flag: { false: "safe", true: "unsafe" },
    "safe-flag": { true: "safe", false: "unsafe" },
  }

/** Words that mean that a side was not there to be judged. */
export const ABSENT_WORDS: ReadonlySet<string> = new Set(["", "none", "null", "n/a", "na", "not applicable"])
