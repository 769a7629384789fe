import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { AssayError } from "@assay/schemas/errors"
import type { PromptToCheck } from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { localFailure } from "@assay/storage/paths"

export interface MessageOptions {
  readonly file?: string
  readonly response?: string
}

/** Streams the messages to check: the given one, or the lines of a file or of stdin. Empty lines are skipped. */
export async function* readMessages(
  context: Context,
  text: string | undefined,
  { file, response }: MessageOptions,
): AsyncGenerator<PromptToCheck, void, undefined> {
  const withResponse = (prompt: string) => (response === undefined ? { prompt } : { prompt, response })
  if (text !== undefined && text !== "-") {
    if (file !== undefined) throw new AssayError("bad_usage", "Give a message or --file, not both.")
    yield withResponse(text)
    return
  }
  if (file === undefined && text === undefined && context.isTerminal.stdin) {
    throw new AssayError(
      "bad_usage",
      "There is nothing to check: give a message, --file, or '-' and messages on stdin.",
    )
  }
  const source = file === undefined || file === "-" ? context.stdin : createReadStream(resolve(context.cwd, file))
  let number = 0
  try {
    for await (const line of createInterface({ input: source, crlfDelay: Infinity })) {
      number += 1
      if (line.trim() !== "") yield messageOf(line, number, withResponse)
    }
  } catch (error) {
    throw localFailure(error, "read", file ?? "-")
  }
}

/** Parses a line. A JSON object has its parts by name; any other line is the message itself. */
function messageOf(line: string, number: number, plain: (prompt: string) => PromptToCheck): PromptToCheck {
  if (!line.trimStart().startsWith("{")) return plain(line)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return plain(line)
  }
  const { prompt, response } = value as { readonly prompt?: unknown; readonly response?: unknown }
  if (typeof prompt !== "string") {
    throw new AssayError(
      "bad_usage",
      `Line ${number} is a JSON object without a text under 'prompt': write {"prompt": "…"}.`,
    )
  }
  return typeof response === "string" ? { prompt, response } : plain(prompt)
}
