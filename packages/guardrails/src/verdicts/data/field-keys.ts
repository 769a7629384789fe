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
