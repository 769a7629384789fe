import { createInterface } from "node:readline"
import { formatRail } from "@assay/guardrails"
import { fieldsOf } from "@assay/json"
import { formatJsonLine, tone } from "@assay/reports/terminal"
import { type CheckRequest, type GuardedChat, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { writeStyled, writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"

export interface ChatOptions extends JsonOption {
  readonly message?: readonly string[]
  readonly system?: string
  readonly model?: string
}

type Messages = CheckRequest["messages"]

/** Asks the server for the answer to a conversation. */
type AskServer = (messages: Messages) => Promise<GuardedChat>

/**
 * Runs `assay guard chat <config>`: sends each message through the rails of a server, and prints what each rail found and the answer.
 * The exit code is 1 if something was blocked, but 0 for a conversation on a terminal.
 */
export async function chatWithGuardrail(context: Context, config: string, options: ChatOptions): Promise<ExitCode> {
  const { isTerminal } = context
  const ask = openChat(context, config, options)
  const talks = options.message === undefined && isTerminal.stdin
  const messages: Messages = options.system === undefined ? [] : [{ role: "system", content: options.system }]
  let sent = 0
  let isBlocked = false
  for await (const text of options.message ?? typedLines(context, talks)) {
    sent += 1
    const asked = { role: "user", content: text }
    try {
      const chat = await ask([...messages, asked])
      const { answer, wasBlocked } = await printTurn(context, chat, options)
      if (wasBlocked) isBlocked = true
      // A blocked message is not part of the conversation: the model never saw it.
      else messages.push(asked, { role: "assistant", content: answer })
    } catch (error) {
      if (!talks || context.signal.aborted || !isAssayError(error)) throw error
      await writeText(context.stderr, `error: ${error.message}\n`)
    }
  }
  if (sent === 0 && !talks) {
    throw new AssayError("bad_usage", "There is no message: give --message, or messages on stdin, one per line.")
  }
  return isBlocked && !talks ? EXIT.no : EXIT.done
}

/** @throws `bad_usage` for a configuration that is not on the server */
function openChat(context: Context, config: string, { model }: ChatOptions): AskServer {
  if (/\.(?:json|ya?ml)$/.test(config) || isLocal(context, config)) {
    const message = `'${printable(config)}' is a file, and the server chats through a configuration that it stores: run \`assay guard config create NAME ${printable(config)}\`, and give NAME.`
    throw new AssayError("bad_usage", message)
  }
  const slash = config.indexOf("/")
  const workspace = slash === -1 ? defaultWorkspace(context) : config.slice(0, slash)
  const guardrails = { config_id: `${workspace}/${config.slice(slash + 1)}` }
  const { guardrails: served } = openClient(context)
  const named = model === undefined ? {} : { model }
  return (messages) => served.chat(workspace, { ...named, messages, guardrails }, { signal: context.signal })
}

/** Yields the lines that are typed or piped, without empty ones. */
async function* typedLines(
  { stdin, prompt, signal }: Context,
  talks: boolean,
): AsyncGenerator<string, void, undefined> {
  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal, ...(talks ? { output: prompt } : {}) })
  // Lines that arrive before they are iterated would be lost.
  const typed = lines[Symbol.asyncIterator]()
  let isClosed = false
  lines.once("close", () => (isClosed = true))
  lines.setPrompt("you: ")
  const ask = () => {
    if (talks && !isClosed) lines.prompt()
  }
  if (talks) await writeText(prompt, "Each line is a message of one conversation. Ctrl-D ends it.\n")
  ask()
  for await (const line of { [Symbol.asyncIterator]: () => typed }) {
    if (line.trim() !== "") yield line
    ask()
  }
  signal.throwIfAborted()
  if (talks) await writeText(prompt, "\n")
}

interface Turn {
  readonly answer: string
  readonly wasBlocked: boolean
}

async function printTurn({ stdout, isTerminal }: Context, chat: GuardedChat, { json }: JsonOption): Promise<Turn> {
  const [choice] = chat.choices
  const { message, finish_reason: reason } = fieldsOf(choice)
  const { content } = fieldsOf(message)
  const rails = chat.guardrails_data?.log.activated_rails ?? []
  const wasBlocked = reason === "content_filter" && rails.some(({ status }) => status === "blocked")
  const answer = typeof content === "string" ? content : ""
  if (json === true || !isTerminal.stdout) {
    await writeText(stdout, formatJsonLine(chat))
    return { answer, wasBlocked }
  }
  const found = rails.map((rail) => `  ${formatRail(rail)}\n`)
  const shown = content === null || content === undefined ? "(an answer without text)" : answer
  const speaker = wasBlocked ? tone("bad", "BLOCKED") : "model"
  await writeStyled(stdout, `${found.join("")}${speaker}: ${shown}\n`)
  return { answer, wasBlocked }
}
