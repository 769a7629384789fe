import type { Command } from "commander"

/** The help text of a command. */
export interface CommandText {
  /** A phrase for the list of commands, without a capital letter and a full stop. */
  readonly summary: string
  /** More sentences. */
  readonly details?: string
  /** Description of `--json`. Default: it prints the result or the error as JSON. */
  readonly json?: string
  /** Description of `--server`, or false if the command never asks a server. Default: it names the server to ask. */
  readonly server?: string | false
  /** Complete command lines. */
  readonly examples: readonly string[]
}

/** Declares a command below `parent`, with its help and the options that every command has. */
export function addCommand(parent: Command, usage: string, text: CommandText): Command {
  const { summary, details, examples, server = "the server to ask (ASSAY_URL)" } = text
  const command = parent
    .command(usage)
    .summary(summary)
    .description([sentence(summary), ...(details === undefined ? [] : [details])].join("\n\n"))
    .option("--json", text.json ?? "print the result, or the error, as JSON")
    .option("-q, --quiet", "print only the result and errors, without progress and notes")
    .option("-v, --verbose", "print requests to the server and the causes of errors on stderr")
    .addHelpText("after", formatExamples(examples))
  return server === false ? command : command.option("--server <url>", server)
}

/** The help text of a noun with verbs. */
export interface GroupText {
  /** Its verbs. */
  readonly summary: string
  readonly description: string
  /** Complete command lines. */
  readonly examples: readonly string[]
}

/** Declares a noun below `parent`. Its commands are added to the result. */
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
