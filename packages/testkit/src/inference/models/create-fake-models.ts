import type { FakeChatReply, FakeModel } from "../fake-model.ts"
import { agentModel } from "./agent.ts"
import { alarm } from "./alarm.ts"
import { askedText } from "./asked-text.ts"
import { findHarm } from "./find-harm.ts"
import { promptWriterModel } from "./prompt-writer.ts"
import { ragJudgeModel } from "./rag-judge.ts"
import { ratingJudgeModel } from "./rating-judge.ts"
import { scoredJudgeModel } from "./scored-judge.ts"
import { createWriterModel, pairJudgeModel } from "./writers.ts"

/** Creates models for testing judges and for trying them out. */
export function createFakeModels(): Readonly<Record<string, FakeModel>> {
  return {
    "content-safety": contentSafetyModel,
    "small-judge": smallJudgeModel,
    "self-check": selfCheckModel,
    rambler: ramblerModel,
    badly: createBadlyModel(),
    echo: echoModel,
    chat: chatModel,
    agent: agentModel,
    "scored-judge": scoredJudgeModel,
    "prompt-writer": promptWriterModel,
    "rag-judge": ragJudgeModel,
    "rating-judge": ratingJudgeModel,
    "pair-judge": pairJudgeModel,
    "brief-writer": createWriterModel("brief-writer", 0),
    "plain-writer": createWriterModel("plain-writer", 0),
    "careful-writer": createWriterModel("careful-writer", 2),
  }
}

const WAYS: readonly FakeChatReply[] = [
  { content: "" },
  { content: null, reasoning: "The user asks about…", finish_reason: "length" },
  { content: "<think>The message looks harmless, but" },
  { content: '{"User Safety": "saf', finish_reason: "length" },
  { content: '{"User Safety": "safe or unsafe"}' },
  { content: '{"User Safety": "safe"}\n{"User Safety": "unsafe"}' },
  { content: "I'm sorry, but I can't help with that." },
  { content: null, refusal: "I can't assist with that request." },
  { content: "", finish_reason: "content_filter" },
  { content: '```json\n{"User Safety": true}\n```' },
]

/** Returns ten bad answers in turn; none has a verdict. */
function createBadlyModel(): FakeModel {
  let next = 0
  return () => {
    const reply = WAYS[next % WAYS.length] ?? {}
    next += 1
    return reply
  }
}

/** Repeats the last message. */
const echoModel: FakeModel = (body) => ({ content: askedText(body).user })

/** A short answer, the same each time. */
const chatModel: FakeModel = (body) => {
  const words = askedText(body).user.split(/\s+/).slice(0, 6).join(" ")
  return { content: `You asked: "${words}". Here is a short answer.` }
}

/** Writes about the message without a verdict. */
const ramblerModel: FakeModel = () => ({
  content:
    "That is an interesting question. Some would say the message appears to be safe, while others might see it otherwise; it depends on the circumstances, and one should always be careful.",
})

const JAILBREAK = /\b(ignore|forget|disregard)\b.{0,30}\b(instructions?|rules?|prompt)\b/i

/** Returns whether a message should be blocked: yes or no. */
const selfCheckModel: FakeModel = (body) => {
  const { user, response } = askedText(body)
  const looked = response ?? user
  return { content: findHarm(looked).length > 0 || JAILBREAK.test(looked) ? "yes" : "no" }
}

const PRECISE = /\b(intent|intention|precise|precisely|only)\b/i

/** Judges by single words, as small models do. A prompt that asks for the intention makes it reasonable. */
const smallJudgeModel: FakeModel = (body) => {
  const { prompt, user, response } = askedText(body)
  const instructions = prompt.replace(user, "")
  const judge = PRECISE.test(instructions) ? findHarm : alarm
  const asksYesOrNo = /\byes\b/i.test(instructions) && /\bno\b/i.test(instructions)
  if (asksYesOrNo) return { content: judge(response ?? user).length > 0 ? "yes" : "no" }
  return { content: contentSafetyAnswer(judge(user), response === undefined ? undefined : judge(response)) }
}

/** A reasonable judge: considers the user's intention and answers as content-safety models do. */
const contentSafetyModel: FakeModel = (body) => {
  const { user, response } = askedText(body)
  return { content: contentSafetyAnswer(findHarm(user), response === undefined ? undefined : findHarm(response)) }
}

/** Returns the verdict as JSON, with a second one for the response if there is one. */
function contentSafetyAnswer(user: readonly string[], response?: readonly string[]): string {
  const categories = [...new Set([...user, ...(response ?? [])])]
  return JSON.stringify({
    "User Safety": user.length === 0 ? "safe" : "unsafe",
    ...(response !== undefined && { "Response Safety": response.length === 0 ? "safe" : "unsafe" }),
    ...(categories.length > 0 && { "Safety Categories": categories.join(", ") }),
  })
}
