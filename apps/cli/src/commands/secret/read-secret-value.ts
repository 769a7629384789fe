import { addAbortSignal } from "node:stream"
import { text } from "node:stream/consumers"
import type { Context } from "../../context.ts"
import { sayText } from "../../output/write-text.ts"

/** Return, line feed and Ctrl-D. */
const END = new Set(["\r", "\n", "\u0004"])
const CTRL_C = "\u0003"
/** Backspace: terminals send one of the two. */
const ERASE = new Set(["\b", "\u007F"])

/** Reads a value from stdin, or from a terminal without showing it. Removes one line end at the end. */
export async function readSecretValue(context: Context, question: string): Promise<string> {
  if (context.isTerminal.stdin) return readHidden(context, question)
  return (await text(addAbortSignal(context.signal, context.stdin))).replace(/\r?\n$/, "")
}

async function readHidden({ stdin, prompt, signal }: Context, question: string): Promise<string> {
  sayText(prompt, question)
  stdin.setRawMode?.(true)
  stdin.setEncoding("utf8")
  let value = ""
  try {
    for await (const typed of stdin.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted()
      for (const character of String(typed)) {
        if (END.has(character)) return value
        // A terminal in raw mode sends this character instead of a signal.
        if (character === CTRL_C) throw new DOMException("Interrupted", "AbortError")
        value = ERASE.has(character) ? value.slice(0, -1) : value + character
      }
    }
    return value
  } finally {
    stdin.setRawMode?.(false)
    stdin.pause()
    sayText(prompt, "\n")
  }
}
