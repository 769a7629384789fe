import type { Command } from "commander"

/** A command as shells complete it. */
export interface CompletedCommand {
  /** Its name with the nouns before it, such as `fileset list`; empty for the program itself. */
  readonly path: string
  /** The words that can follow: verbs, or the values of an argument. */
  readonly words: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption {
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
  /** The values that it takes, where the list is closed. */
  readonly choices: readonly string[]
}

/** Every command below `command`, and itself first. */
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
