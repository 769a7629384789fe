import type { KeyGroup, Side } from "../statements/statement.ts"

/** The vocabulary of a key's values. */
export type Vocabulary = "safety" | "three-tier" | "harm" | "yes-no" | "flag" | "safe-flag" | "raised"

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
  ["safety", { side: "direction", group: "qwen", vocabulary: "three-tier" }],
  ["isunsafe", { side: "direction", group: "qwen", vocabulary: "flag" }],
  ["issafe", { side: "direction", group: "qwen", vocabulary: "safe-flag" }],
  ["flagged", { side: "direction", group: "flagged", vocabulary: "flag" }],
])

/**
 * Keys that are common words. In JSON they count if their value is of their vocabulary. In a text, `violation` and `blocked` count
 * in quotation marks, and the others before a word for harm.
 */
export const QUALIFIED_KEYS: ReadonlyMap<string, VerdictKey> = new Map<string, VerdictKey>([
  ["violation", { side: "direction", group: "violation", vocabulary: "raised" }],
  ["blocked", { side: "direction", group: "flagged", vocabulary: "raised" }],
  ["request", { side: "user", group: "reasoned", vocabulary: "harm" }],
  ["response", { side: "response", group: "reasoned", vocabulary: "harm" }],
])

/** The keys of lists of categories. */
export const CATEGORY_KEYS: ReadonlySet<string> = new Set([
  "requestsafetyviolations",
  "responsesafetyviolations",
  "policycategory",
  "ruleids",
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
    raised: { 0: "safe", 1: "unsafe", false: "safe", true: "unsafe" },
  }

/** Words that mean that a side was not there to be judged. */
export const ABSENT_WORDS: ReadonlySet<string> = new Set([
  "",
  "none",
  "null",
  "n/a",
  "na",
  "not applicable",
  "na: none applying",
])

/** Labels before an answer of one word, in lower case without spaces. They do not show the family of the word. */
export const LABEL_KEYS: ReadonlySet<string> = new Set([
  "answer",
  "finalanswer",
  "verdict",
  "finalverdict",
  "output",
  "response",
  "result",
  "decision",
  "classification",
  "label",
  "assessment",
  "judgment",
  "judgement",
  "rating",
  "prediction",
  "conclusion",
])

/** A label at the beginning of a line, with its separator. */
export const LABEL_BEFORE =
  /^[\s>#*_"'`({[-]{0,12}(?:(?:my|the|final)\s){0,2}(?:answer|verdict|output|response|result|decision|classification|label|assessment|judge?ment|rating|prediction|conclusion)[\s*_"'`]{0,6}(?::|=|->)[\s*_"'`]{0,6}/i

/** A sentence that announces its last word. Without its end, it could go on: "The answer is no different". */
export const ANNOUNCED =
  /^[\s>#*_"'`]{0,12}(?:so|therefore|thus|hence)?,?\s{0,2}(?:the|my)\s(?:final\s)?(?:answer|verdict)\sis:?\s(?=["'`*_]{0,3}(?:yes|no)["'`*_]{0,3}[.!])/i

/** Keys of the fields that judges write beside a verdict, in lower case without spaces. */
const CONFIDENCE = "score confidence confidencescore confidencelevel probability certainty"
const EXPLANATION =
  "explanation explanations reason reasons reasoning rationale justification analysis comment comments note notes details detail description summary thought thoughts why evidence context background observation observations message text prompt input query content usermessage userinput userprompt question request quote quotes chainofthought stepbystep assistantresponse modelresponse conversation"
const FACTS =
  "topic topics subject language lang intent intention model id name type version object created timestamp index taxonomy policyname policyid usage latency domain tone sentiment field source inputtype field"
const HARM =
  "risk risks risklevel riskscore severity harm harms harmful harmfulness danger dangers dangerous violation violations violatedpolicies violatedpolicy policyviolation policyviolations violatedrules violates threat threats threatlevel toxicity toxic concerns issues issue problems unsafe isunsafe isharmful blocked block shouldblock shouldbeblocked flags flag isflagged malicious abuse hazards unsafecategories issuesfound warnings warning error errors"
const HARMLESS =
  "safe issafe allowed allow isallowed harmless unharmful compliant iscompliant acceptable appropriate pass passed ok permitted benign isbenign ontopic"

export type FieldKind = "confidence" | "explanation" | "fact" | "harm" | "harmless"

/** The allowed values of these keys are defined where fields are read. */
export const FIELD_KINDS: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ...kinds("confidence", CONFIDENCE),
  ...kinds("explanation", EXPLANATION),
  ...kinds("fact", FACTS),
  ...kinds("harm", HARM),
  ...kinds("harmless", HARMLESS),
])

function kinds(kind: FieldKind, keys: string): readonly (readonly [string, FieldKind])[] {
  return keys.split(" ").map((key) => [key, kind] as const)
}
