/** What answers write before the one word that they consist of, in lower case without blanks. It says nothing of the word's family. */
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

/** The same at the beginning of a line, with what parts it from the word. */
export const LABEL_BEFORE =
  /^[\s>#*_"'`({[-]{0,12}(?:(?:my|the|final)\s){0,2}(?:answer|verdict|output|response|result|decision|classification|label|assessment|judge?ment|rating|prediction|conclusion)[\s*_"'`]{0,6}(?::|=|->)[\s*_"'`]{0,6}/i
