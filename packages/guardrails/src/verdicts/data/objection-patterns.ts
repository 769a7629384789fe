/**
 * The end of a segment: of a line, a sentence, a cell, a quotation, or a mark. A comma does not end one, because lists of harms are
 * prose.
 */
const EDGE = String.raw`[\n\t|;:.!?()[\]{}<>"'` + "`" + String.raw`*_~=/#&$\\。！？，、；：]`
const BEFORE = String.raw`(?:^|${EDGE}|\s[-–—]{1,3}\s|-> ?|[→⇒➜]) {0,3}(?:[-+•·>] {1,3})?`
const AFTER = String.raw` {0,3}(?=$|${EDGE}|\s[-–—]|,)`
/** Adverbs of degree, and nouns for the message. */
const HOW = "(?:(?:very|quite|clearly|highly|extremely|definitely|potentially|class|label|category) {1,3})?"
const TORN = "[^a-z0-9]{0,2}"
/** Separators between the letters of a word that is pulled apart. */
const GAP = "[^a-z0-9]{0,3}"
const MARKS = String.raw`[\s"'*_,()[\]{}\\` + "`" + String.raw`-]{0,4}`
/** Separators between a key and its value. */
const COLON = String.raw`(?:[:=|]{1,3}|\s-)`

function torn(word: string, gap: string): string {
  return word.split("").join(gap)
}

/** "unsafe" or "off-topic" in any spelling, pulled apart, or joined with the next word. */
export const UNSAFE_SPELLED = new RegExp(
  `unsafe|(?<![a-z])(?:u\nsafe|off[^a-z0-9]{0,3}opic|${torn("unsafe", GAP)}|${torn("offtopic", GAP)})`,
  "g",
)

/** A text whose letters contain none of these matches none of the patterns here. */
export const ANY_TRIGGER =
  /safe|opic|yes|harm|danger|malicious|toxic|illegal|appropriate|accept|allow|prohibit|permit|controvers|flag|block|refuse|reject|violat|deny|denied|insecure|saf|hazard|risk|hate|abus|offens|problem|forbid|banned|threat|accept|fail|invalid|true/

/** A key of a verdict and a value that means unsafe without a separator between them, or any key in quotes before `true`. */
export const UNSAFE_KEYED =
  /(?:(?:user|response|prompt|request)[\s_-]{0,3}(?:safety|harm)|harmful[\s_-]{0,3}(?:request|response)|(?:is[\s_-]{0,3}unsafe|flagged|violation|blocked))[^a-z0-9\n]{0,6}(?:unsafe|not safe|harmful|yes|true|1)(?![a-z0-9])|(?:["'][a-z_]{2,30}|[a-z]["'])\s{0,3}true(?![a-z0-9])/

/** The rest of a statement: a value whose key is lost, a key about the message that is damaged, before its value, and one that lost its colon. */
export const UNSAFE_LEFT =
  /(?:^|[\n|])[^\S\n]{0,3}:\s{0,3}["']?(?:true|yes|1|unsafe|harmful)(?![a-z0-9])|(?:^|[\n|{])[^a-z\n]{0,6}(?:use?r?|prompt|message)(?![a-z])[^\n:.]{0,20}[\s"'](?:unsafe|harmful)["'\s]{0,3}(?=$|[\n|},])|(?<!(?:the|this|that|any|an?|of|no|not|every|each|its?|your|his|her|their) )(?<![a-z])(?:request|response|prompt|user|message|completion|assistant)["'\s]{1,3}(?:is\s)?(?:unsafe|harmful)["'\s]{0,3}(?=$|[\n|},])/m

/** A word that means unsafe, with a sign of a list or of a field directly before it. */
export const UNSAFE_MARKED = /(?<![a-z0-9])[-=~>|]{1,2}(?:unsafe|harmful|off[ _-]?topic|controversial)(?![a-z0-9])/

/** Directly before "unsafe", this gives it the opposite meaning. */
export const NEGATED =
  /(?:not|n't|never|nothing|no|without)[\s-]{1,2}(?:(?:an?|any|be|is|really|inherently|considered|actually)\s){0,2}$/

/** "Not safe", with words between the two. */
export const NOT_SAFE = new RegExp(
  `(?<![a-z])(?:n${TORN}o${TORN}t|isn't|isnt|never|hardly)(?:[^a-z0-9.?]|\\?(?! )){0,4}(?:[a-z]{1,15} ){0,3}(?<![a-z])s${TORN}a${TORN}f${TORN}e(?![a-z])|(?<![a-z])(?:not[_-]?|ot\\s{1,2})safe`,
)

/** A key with a value that begins with such a word, regardless of the rest of the line, unless that is another choice. */
export const UNSAFE_VALUE = new RegExp(
  `(?:[:=]|\\s-\\s)${MARKS}(?:unsafe|not safe|harmful|off[ _-]?topic|controversial|yes)(?![a-z])(?!${MARKS}(?:or(?![a-z])|[/|]))`,
  "g",
)

/**
 * A word of any family that means unsafe, as a whole segment, unless it is a question and the answer is no.
 */
export const UNSAFE_SEGMENT = new RegExp(
  `${BEFORE}${HOW}(?:unsafe(?: {1,3}s\\d{1,2})?|not[^a-z0-9.?]{0,3}safe|harmful(?: {1,3}[\\d.]{1,6}%?)?|(?:policy )?violation|off${GAP}topic|controversial|flagged|block(?:ed)?(?: it| this| th(?:e|is|at) [a-z]{1,12})?|reject(?:ed)?(?: it)?|refuse|den(?:y|ied)|disallow(?:ed)?|non[^a-z0-9]{0,3}safe|insecure|danger(?:ous)?|fail(?:ed)?|invalid)` +
    `(?!${MARKS}[:=?]${MARKS}(?:no|false|none|low|minimal|n/a|0)(?![a-z0-9]))${AFTER}`,
  "m",
)

/** A text that begins with a word that means unsafe. */
export const UNSAFE_BEGUN = /^[^a-z]{0,20}(?:json[^a-z]{1,4})?(?:unsafe|not safe|harmful|off[ _-]?topic|yes)(?![a-z])/

/** "Yes" as a whole segment, or at the beginning of a line. */
export const YES_SEGMENT = new RegExp(
  `(?:${BEFORE}|, ?)y${TORN}e${TORN}s(?:${AFTER}|(?=[-–—]))|(?:^|[\\n|.!?;])[^a-z0-9\\n|]{0,12}yes(?![a-z])|(?<=[a-z] )yes(?=$|[\\n,]| {0,3}[<|}\\]"])`,
  "gm",
)

/** Before "yes", this asks whether the model refused, which says nothing about the message. */
export const ABOUT_REFUSAL = /refus[a-z]{0,4}[\s"'*_`:=|]{0,8}$/

/** A name of harm with a positive value, or a name of harmlessness with a negative one. */
export const FLAG_RAISED = new RegExp(
  `(?:unsafe|harmful|block(?:ed)?|${torn("flagged", TORN)}|violat[a-z]{1,6}|dangerous|malicious)${MARKS}${COLON}[^a-z0-9]{0,6}(?:yes|true|1)(?![a-z0-9]|\\.\\d)` +
    `|(?<![a-z])(?:safe|allow(?:ed)?|harmless|unharmful)${MARKS}${COLON}${MARKS}(?:no|false|0)(?![a-z0-9]|\\.\\d)` +
    `|(?<![a-z])safe {0,2}\\?[^a-z0-9]{0,6}(?:no|nope)(?![a-z])`,
)

/** A sentence that calls the message harmful, or demands to block it. */
export const UNSAFE_PREDICATE =
  /(?:\b(?:is|are|be|was|seems?|looks?|considered|rated|deemed)\s+(?:[a-z]{2,12}ly\s+|very\s+|quite\s+|indeed\s+)?(?:harmful|dangerous|malicious|toxic|illegal|inappropriate|unacceptable|disallowed|prohibited|controversial|off.topic)\b|\b(?:classif(?:y|ied)|label(?:led)?|rated?|deem|judged?|marked)\s+(?:[a-z]{2,12}\s+){0,3}as\s+(?:[a-z]{2,12}ly\s+|very\s+)?(?:harmful|dangerous|malicious|toxic|illegal|inappropriate)\b|\b(?:should|must|ought to|needs? to|has to)\s+be\s+(?:blocked|refused|rejected|flagged)\b|\bviolates\b(?!\s+(?:none|no|nothing)\b)|\bnot\s+(?:be\s+)?(?:allowed|acceptable|permitted|appropriate)\b|\b(?:do not|don't)\s+allow\b)/g

/** Anywhere earlier in its clause, this gives such a sentence the opposite meaning. */
export const DENIED =
  /\b(?:not|no|never|nothing|none|neither|nor|nobody|without|cannot|whether|if|why|how|\w{2,6}n't)\b/

const BEING =
  "(?:is|are|was|were|be|being|as|seems?|looks?|appears?|sounds?|considered|rated|deemed|judged|called|counts?)"
const BETWEEN =
  "(?:(?:to|be|an?|the|very|quite|indeed|in|fact|of|class|category|label|rated|as|[a-z]{2,12}ly)\\s+|(?!non-|un-|anti-|not-)[a-z]{2,12}-){0,3}"
const HARMING =
  "(?:unsafe|harmful|dangerous|malicious|toxic|illegal|inappropriate|unacceptable|disallowed|prohibited|forbidden|banned|controversial|off.?topic|insecure|hazardous|risky|hateful|abusive|problematic|flagged|rejected|refused|denied|(?:policy )?violations?|dangers?|threats?)(?:ly|ness|ty)?"

/** A sentence that calls the message unsafe, after quotes and marks were removed. */
export const ASSERTED_HARM = new RegExp(
  `\\b${BEING}\\s+${BETWEEN}${HARMING}\\b` +
    `|\\b(?:contains?|includes?|promotes?|encourages?|poses?|constitutes?|solicits?|provides?|has|have)\\s+(?:[a-z]{1,12}\\s+){0,2}(?:unsafe|harmful|dangerous|malicious|toxic|hateful|illegal|inappropriate|disallowed|prohibited|abusive|offensive|controversial)\\b` +
    `|\\b(?:not|never|isn't|isnt|hardly|non)\\s+(?:[a-z]{1,12}\\s+){0,3}saf(?:ety(?=\\s*(?:[^a-z\\s]|$))|(?!ety|eguard|ely)[a-z]{1,8})|\\bnon-?safe\\b`,
  "gm",
)
