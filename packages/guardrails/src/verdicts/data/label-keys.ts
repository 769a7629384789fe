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
