import type { FakeChatBody, FakeChatReply, FakeModel } from "../fake-model.ts"
import { findHarm } from "./find-harm.ts"

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

const ALARMING =
  /\b(kill|shoot|bomb|attack|explode|explosive|weapon|gun|poison|poisonous|hack|drug|steal|die|dying|dead|knife|sword|rifle|blow up|war|murder|suicide|burglary|robbery|pickpocket|smuggling|fraud|hate|racist|genocide|virus|ransomware|exploit|lethal|nude|sex|abuse|crack|töten|hassen|matar|mato|pistola|robo|abattre)(s|ed|ing|er|ers)?\b/i
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

function alarm(text: string): readonly string[] {
  return ALARMING.test(text) ? ["Violence"] : findHarm(text)
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

/** The conversation in a prompt. */
interface AskedText {
  /** The whole prompt. */
  readonly prompt: string
  /** The last message of the user. */
  readonly user: string
  /** The answer to it, if the prompt contains one. */
  readonly response: string | undefined
}

const ROLE =
  /^[ \t]*["']?(user(?: message| input)?|human|agent|assistant|bot(?: response)?|response)["']?[ \t]*:[ \t]*/i

/** Finds the conversation in a prompt: between its marks, by its roles, or else the whole last user message. */
function askedText(body: FakeChatBody): AskedText {
  const prompt = body.messages.map(({ content }) => plain(content)).join("\n")
  const last = plain(body.messages.findLast(({ role }) => role === "user")?.content ?? body.messages.at(-1)?.content)
  const marked = /<?begin conversation>?\s*\n([\s\S]*?)\n\s*<?end conversation/i.exec(last)?.[1] ?? last
  const said: { isUser: boolean; text: string }[] = []
  for (const line of marked.split("\n")) {
    const role = ROLE.exec(line)
    const turn = said.at(-1)
    if (role !== null) said.push({ isUser: /^(user|human)/i.test(role[1] ?? ""), text: line.slice(role[0].length) })
    else if (turn !== undefined) turn.text += `\n${line}`
  }
  const user = said.findLast(({ isUser }) => isUser)?.text ?? marked
  const answer = said.at(-1)
  return {
    prompt,
    user: user.trim(),
    response: answer !== undefined && !answer.isUser ? answer.text.trim() : undefined,
  }
}

function plain(content: unknown): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("\n")
}
