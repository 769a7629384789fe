import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"
import { contentSafetyAnswer } from "./content-safety-model.ts"
import { findHarm } from "./find-harm.ts"

const ALARMING =
  /\b(kill|shoot|bomb|attack|explode|explosive|weapon|gun|poison|poisonous|hack|drug|steal|die|dying|dead|knife|sword|rifle|blow up|war|murder|suicide|burglary|robbery|pickpocket|smuggling|fraud|hate|racist|genocide|virus|ransomware|exploit|lethal|nude|sex|abuse|crack|töten|hassen|matar|mato|pistola|robo|abattre)(s|ed|ing|er|ers)?\b/i
const PRECISE = /\b(intent|intention|precise|precisely|only)\b/i

/** Judges by single words, as small models do; a prompt that asks for the intention makes it sensible. */
export const smallJudgeModel: FakeModel = (body) => {
  const { prompt, user, response } = askedText(body)
  const instructions = prompt.replace(user, "")
  const judge = PRECISE.test(instructions) ? findHarm : alarm
  const asksYesOrNo = /\byes\b/i.test(instructions) && /\bno\b/i.test(instructions)
  if (asksYesOrNo) return { content: judge(response ?? user).length > 0 ? "yes" : "no" }
  return { content: contentSafetyAnswer(judge(user), response === undefined ? undefined : judge(response)) }
}

function alarm(text: string): readonly string[] {
  return ALARMING.test(text) ? ["Violence"] : findHarm(text)
}
