import { createInterface } from "node:readline/promises"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

/** Reads an answer. Throws an `AssayError` for one that can't be used, with what to write instead. */
export type ReadAnswer<T> = (answer: string) => T | Promise<T>

/** Asks questions, or takes their proposals. */
export interface Asker extends Disposable {
  /** Whether a person answers. */
  readonly isInteractive: boolean
  /**
   * Asks until an answer can be read: the answer without blanks around it, or `proposal` if it is empty. Without a person, reads the proposal.
   * @throws `bad_usage` if the input ends; the errors of `read` if nobody can be asked again
   */
  readonly ask: <T>(question: string, proposal: string, read: ReadAnswer<T>) => Promise<T>
  /** Prints a sentence for the person who answers. */
  readonly say: (sentence: string) => Promise<void>
}

/** Returns an asker that takes every proposal. */
export function silentAsker(): Asker {
  return {
    isInteractive: false,
    ask: async (_question, proposal, read) => read(proposal),
    say: () => Promise.resolve(),
    [Symbol.dispose]: () => undefined,
  }
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
  let isOver = false
  lines.once("close", () => (isClosed = true))

  async function nextAnswer(question: string, proposal: string): Promise<string> {
    const prompt = `${question}${proposal === "" ? "" : ` [${printable(proposal)}]`}: `
    lines.setPrompt(prompt)
    // Piped input ends before its lines are read.
    if (isClosed) await writeText(stderr, prompt)
    else lines.prompt()
    const { value, done } = await answers.next()
    signal.throwIfAborted()
    if (done === true) {
      isOver = true
      throw new AssayError("bad_usage", "Nothing was written: the questions were not all answered.")
    }
    const answer = value.trim()
    return answer === "" ? proposal : answer
  }

  const say = (sentence: string) => writeText(stderr, `  ${sentence}\n`)
  return {
    isInteractive: true,
    say,
    async ask(question, proposal, read) {
      for (;;) {
        const answer = await nextAnswer(question, proposal)
        try {
          return await read(answer)
        } catch (error) {
          if (isOver || signal.aborted || !isAssayError(error)) throw error
          await say(error.message)
        }
      }
    },
    [Symbol.dispose]: () => lines.close(),
  }
}

/** Reads y or n. @throws `bad_usage` for anything else */
export function readYesNo(answer: string): boolean {
  if (/^(?:y|yes)$/i.test(answer)) return true
  if (/^(?:n|no)$/i.test(answer)) return false
  throw new AssayError("bad_usage", `'${printable(answer)}' is neither y nor n.`)
}
