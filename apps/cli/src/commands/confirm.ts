import { createInterface } from "node:readline/promises"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import type { Context } from "../context.ts"

/**
 * Asks the user before something is deleted, unless `--yes` was given.
 * @throws `bad_usage` if the answer is no, or if there is no terminal to ask on
 */
export async function confirm(context: Context, question: string, isSure: boolean | undefined): Promise<void> {
  const { stdin, prompt, isTerminal, signal } = context
  if (isSure === true) return
  if (!isTerminal.stdin || !isTerminal.stderr) {
    const message = `${printable(question)} Nothing was deleted, because there is no terminal to ask on: add --yes to delete without a question.`
    throw new AssayError("bad_usage", message)
  }
  const lines = createInterface({ input: stdin, output: prompt })
  try {
    const answer = await lines.question(`${printable(question)} [y/N] `, { signal })
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    lines.close()
  }
  throw new AssayError("bad_usage", "Nothing was deleted: the answer was not yes.")
}
