import { AssayError } from "@assay/schemas/errors"
import type { PromptToCheck } from "../judge.ts"

/**
 * Yields a message for each line. A JSON object has its parts by name; any other line is the message itself. Empty lines are skipped.
 * @param response the answer to messages that have none
 * @throws `bad_document` for an object without a prompt
 */
export async function* parseMessageLines(
  lines: AsyncIterable<string>,
  response: string | undefined,
): AsyncGenerator<PromptToCheck, void, undefined> {
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() !== "") yield parseMessageLine(line, number, response)
  }
}

/** Returns a message, with an answer if there is one. */
export function messageWith(prompt: string, response: string | undefined): PromptToCheck {
  return response === undefined ? { prompt } : { prompt, response }
}

function parseMessageLine(line: string, number: number, answer: string | undefined): PromptToCheck {
  if (!line.trimStart().startsWith("{")) return messageWith(line, answer)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return messageWith(line, answer)
  }
  const { prompt, response } = value as { readonly prompt?: unknown; readonly response?: unknown }
  if (typeof prompt !== "string") {
    throw new AssayError(
      "bad_document",
      `Line ${number} is a JSON object without a text under 'prompt': write {"prompt": "…"}.`,
    )
  }
  return messageWith(prompt, typeof response === "string" ? response : answer)
}
