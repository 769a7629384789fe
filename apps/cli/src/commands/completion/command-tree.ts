import type { Command } from "commander"

/** A command with the words that a shell can complete. */
export interface CompletedCommand {
  /** Full name, such as `fileset list`. Empty for the program itself. */
  readonly path: string
  /** Words that can follow: subcommands, or the values of an argument. */
  readonly words: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption {
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
  /** Its values, if the list is closed. */
  readonly choices: readonly string[]
}

/** Returns a command and, after it, all commands below it. */
export function commandTree(command: Command, above: readonly string[] = []): readonly CompletedCommand[] {
  const verbs = command.commands.map((child) => ({ name: child.name(), summary: child.summary() }))
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((name) => ({ name, summary: description })),
  )
  const options = command.options.flatMap(({ long, description, required, optional, argChoices }) =>
    typeof long === "string"
      ? [{ long, description, takesValue: required || optional, choices: argChoices ?? [] }]
      : [],
  )
  const help = { long: "--help", description: "show help", takesValue: false, choices: [] }
  const own = { path: above.join(" "), words: [...verbs, ...values], options: [...options, help] }
  return [own, ...command.commands.flatMap((child) => commandTree(child, [...above, child.name()]))]
}
