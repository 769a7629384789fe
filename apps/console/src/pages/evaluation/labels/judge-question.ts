/** The prompt of a judge as people read it. */
export interface JudgeQuestion {
  /** The question, without the parts that each row fills in. */
  readonly asked: string
  /** The whole prompt. Undefined: `asked` is all of it. */
  readonly whole: string | undefined
}

/** The role of a message whose text begins with a role. */
const DOUBLED = /(^|\n\n)(?:system|developer|user|assistant): (?=(?:system|developer|user|assistant): )/gu
const ROLE = /(?:^|\n\n)(?:system|developer|user|assistant): /u

/**
 * Splits the prompt of a judge: messages without a template are the question. Those with one repeat the row, which people see beside it. A
 * prompt of which every message has a template is shown whole.
 */
export function judgeQuestion(given: string): JudgeQuestion {
  const messages = given.split(ROLE).filter((text) => text !== "")
  // A message that is a transcript begins with a role, too: one is enough to read.
  const prompt = given.replaceAll(DOUBLED, "$1")
  const asked = messages.filter((text) => !/\{[{%]/u.test(text))
  if (asked.length === 0) return { asked: messages.length === 1 ? messages.join("") : prompt, whole: undefined }
  return { asked: asked.join("\n\n").trim(), whole: asked.length === messages.length ? undefined : prompt }
}
