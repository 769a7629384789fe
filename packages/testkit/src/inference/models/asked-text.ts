import type { FakeChatBody } from "../fake-model.ts"

/** The conversation in a prompt. */
export interface AskedText {
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
export function askedText(body: FakeChatBody): AskedText {
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
