import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { Command, CommanderError } from "commander"
import type { Action, GeneralOptions } from "./commands/action.ts"
import type { Context } from "./context.ts"
import { EXIT, exitCodeOf, type ExitCode } from "./exit-code.ts"
import type { FailedCommand } from "./output/describe-error.ts"
import { afterCommand } from "./leading-options.ts"
import { sayText, writeStyled, writeText } from "./output/write-text.ts"
import { buildProgram } from "./program.ts"
import { renamedWords } from "./renamed-words.ts"

/** Runs one command line, without the name of the program. Returns the exit code and never throws. */
export async function run(given: readonly string[], context: Context): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done
  let help = ""
  let current = context

  function bind<A extends readonly unknown[]>(load: () => Promise<Action<A>>): (...args: A) => Promise<void> {
    return async (...args) => {
      const action = await load()
      const command = args.at(-1)
      current = await contextOf(context, command instanceof Command ? command.opts() : {})
      // With --json, stderr is for the error alone.
      if (!words.includes("--json")) for (const text of warnings) await writeText(current.stderr, `${text}\n`)
      exitCode = (await action(current, ...args)) ?? EXIT.done
    }
  }

  // A completion script lists every command.
  const program = buildProgram(bind, (noun) => given.includes(noun) || given.includes("completion"))
  const { words, warnings } = renamedWords(program, afterCommand(program, given))
  configure(program, context, (text) => (help += text))
  try {
    await program.parseAsync(helpWords(program, words), { from: "user" })
    return exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done
    // For a noun without a verb, or no words at all, print the list of commands.
    if (thrown instanceof CommanderError && thrown.code === "commander.help") {
      await writeText(context.stdout, help)
      return EXIT.done
    }
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown
    await printFailure(
      error,
      { usage: commandNames(program, words).join(" "), words },
      { context: current, stderr: context.stderr },
    )
    return exitCodeOf(error, context.signal)
  }
}

/** Returns the context for the options that every command has. Their module is loaded only if one is given. */
async function contextOf(context: Context, options: GeneralOptions): Promise<Context> {
  const { server, quiet = false, verbose = false } = options
  if (server === undefined && !quiet && !verbose) return context
  const { withGeneralOptions } = await import("./general-options.ts")
  return withGeneralOptions(context, options)
}

/** Loads the modules that describe errors only now, because each module costs about a millisecond at every start. */
async function printFailure(
  error: unknown,
  command: FailedCommand,
  { context, stderr }: { readonly context: Context; readonly stderr: Context["stderr"] },
): Promise<void> {
  const { describeError, formatError } = await import("./output/describe-error.ts")
  const { withNearNames } = await import("@assay/client")
  const { openClient } = await import("./open-client.ts")
  const near = { openClient: () => openClient(context), signal: context.signal }
  const described = describeError(await withNearNames(error, near), command, context)
  if (!command.words.includes("--json")) {
    await writeStyled(stderr, formatError(described))
    if (context.traced !== undefined) {
      const { formatCauses } = await import("./general-options.ts")
      await writeText(stderr, formatCauses(error))
    }
    return
  }
  const { formatJson } = await import("@assay/reports/terminal")
  await writeText(stderr, formatJson({ error: described }))
}

/** Makes the parser throw instead of exiting, and write to the streams of the context. */
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

/**
 * Rewrites `help push` and `fileset help create` to `push --help` and `fileset create --help`.
 * @throws `bad_usage` if the command does not exist
 */
function helpWords(program: Command, words: readonly string[]): readonly string[] {
  const at = words.indexOf("help")
  const before = words.slice(0, Math.max(0, at))
  // After a command with arguments, `help` is an argument.
  if (at === -1 || !isGroup(program, before)) return words
  const named = words.toSpliced(at, 1).filter((word) => !word.startsWith("-"))
  const known = commandNames(program, named)
  const unknown = named[known.length]
  if (unknown === undefined || !isGroup(program, known)) return [...known, "--help"]
  const command = ["assay", ...known].join(" ")
  const message = `There is no command '${printable(unknown)}' in \`${command}\`; \`${command} --help\` lists those that exist.`
  throw new AssayError("bad_usage", message)
}

/** Returns whether `names` name a command that has commands below it. */
function isGroup(program: Command, names: readonly string[]): boolean {
  let command: Command | undefined = program
  for (const name of names) command = command?.commands.find((child) => child.name() === name)
  return command !== undefined && command.commands.length > 0
}

/** Returns the words at the beginning that name a command, such as `fileset` and `create`. */
function commandNames(program: Command, words: readonly string[]): readonly string[] {
  const names: string[] = []
  let command: Command | undefined = program
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word)
    if (command === undefined) break
    names.push(word)
  }
  return names
}

function usageError(error: CommanderError): AssayError {
  const text = error.message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1")
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return new AssayError("bad_usage", /[.?]$/.test(sentence) ? sentence : `${sentence}.`, { cause: error })
}
