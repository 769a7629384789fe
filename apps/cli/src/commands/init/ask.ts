import { createInterface } from "node:readline/promises"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

/** Asks questions on a terminal. */
export interface Asker extends Disposable {
  /** Returns the answer without blanks around it, or `proposal` if it is empty. @throws `bad_usage` if the input ends */
  readonly ask: (question: string, proposal?: string) => Promise<string>
}

/** Opens the terminal for questions. @throws `bad_usage` if there is none */
export function openAsker({ stdin, stderr, isTerminal, signal }: Context): Asker {
  if (!isTerminal.stdin || !isTerminal.stderr) {
    const message =
      "There is no terminal to ask on: add --yes, and what is not to be proposed as options such as --model and --data."
    throw new AssayError("bad_usage", message)
  }
  const lines = createInterface({ input: stdin, output: stderr, signal })
  const answers = lines[Symbol.asyncIterator]()
  let isClosed = false
  lines.once("close", () => (isClosed = true))
  return {
    async ask(question, proposal = "") {
      const prompt = `${question}${proposal === "" ? "" : ` [${printable(proposal)}]`}: `
      lines.setPrompt(prompt)
      // Piped input ends before its lines are read.
      if (isClosed) await writeText(stderr, prompt)
      else lines.prompt()
      const { value, done } = await answers.next()
      signal.throwIfAborted()
      if (done === true) throw new AssayError("bad_usage", "Nothing was written: the questions were not all answered.")
      const answer = value.trim()
      return answer === "" ? proposal : answer
    },
    [Symbol.dispose]: () => lines.close(),
  }
}
