import { CommanderError, type Command } from "commander"
import { AssayError } from "@assay/schemas/errors"
import type { Action } from "./commands/action.ts"
import type { Context } from "./context.ts"
import { EXIT, exitCodeOf, type ExitCode } from "./exit-code.ts"
import { describeError, formatError } from "./output/describe-error.ts"
import { formatJson } from "./output/format-json.ts"
import { sayText, writeText } from "./output/write-text.ts"
import { buildProgram } from "./program.ts"

/** Runs one command line, without the name of the program, and answers with its exit code. Never throws. */
export async function run(words: readonly string[], context: Context): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done
  let help = ""

  function bind<A extends readonly unknown[]>(action: Action<A>): (...args: A) => Promise<void> {
    return async (...args) => {
      exitCode = (await action(context, ...args)) ?? EXIT.done
    }
  }

  const program = buildProgram(bind)
  configure(program, context, (text) => (help += text))
  try {
    await program.parseAsync(words, { from: "user" })
    return exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done
    // A noun without a verb, or nothing at all: what there is to choose from is the answer.
    if (thrown instanceof CommanderError && thrown.code === "commander.help") {
      await writeText(context.stdout, help)
      return EXIT.done
    }
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown
    const described = describeError(error, usageOf(program, words), context.signal)
    await writeText(
      context.stderr,
      words.includes("--json") ? formatJson({ error: described }) : formatError(described),
    )
    return exitCodeOf(error, context.signal)
  }
}

/** Takes the process away from the parser: it exits by throwing, and writes where we say. */
function configure(command: Command, context: Context, onHelp: (text: string) => void): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => sayText(context.stdout, text),
    writeErr: onHelp,
    outputError: () => undefined,
    getOutHelpWidth: context.columns,
    getErrHelpWidth: context.columns,
  })
  for (const child of command.commands) configure(child, context, onHelp)
}

/** The name of the command that `words` begin with, such as `fileset create`. */
function usageOf(program: Command, words: readonly string[]): string {
  const names: string[] = []
  let command: Command | undefined = program
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word)
    if (command === undefined) break
    names.push(word)
  }
  return names.join(" ")
}

function usageError(error: CommanderError): AssayError {
  const text = error.message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1")
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return new AssayError("bad_usage", /[.?]$/.test(sentence) ? sentence : `${sentence}.`, { cause: error })
}
