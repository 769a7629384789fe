import type { Command } from "commander"

/** What `--help` says about a command. */
export interface CommandText {
  /** A few words for the list of commands, without a capital and a full stop. */
  readonly summary: string
  /** What is worth knowing besides. */
  readonly details?: string
  /** What `--json` does; unless told otherwise, print the result as JSON. */
  readonly json?: string
  /** Command lines that work. */
  readonly examples: readonly string[]
}

/** Declares a command under `parent`, with its help and `--json`. */
export function addCommand(parent: Command, usage: string, text: CommandText): Command {
  const { summary, details, examples, json = "print the result, or the error, as JSON" } = text
  return parent
    .command(usage)
    .summary(summary)
    .description([sentence(summary), ...(details === undefined ? [] : [details])].join("\n\n"))
    .option("--json", json)
    .addHelpText("after", formatExamples(examples))
}

/** What `--help` says about a noun with verbs. */
export interface GroupText {
  /** Its verbs. */
  readonly summary: string
  readonly description: string
  /** Command lines that work. */
  readonly examples: readonly string[]
}

/** Declares a noun under `parent`, to which commands are added. */
export function addGroup(parent: Command, name: string, { summary, description, examples }: GroupText): Command {
  return parent.command(name).summary(summary).description(description).addHelpText("after", formatExamples(examples))
}

function formatExamples(examples: readonly string[]): string {
  const lines = examples.map((example) => `  ${example}`).join("\n")
  return `\n${examples.length === 1 ? "Example" : "Examples"}:\n${lines}`
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
