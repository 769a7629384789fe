import type { Command } from "commander"

const SWITCHES: ReadonlySet<string> = new Set(["-q", "--quiet", "-v", "--verbose", "--json"])

/** Moves options that every command has from before the command, as in `assay -q push`, to after its name. */
export function afterCommand(program: Command, words: readonly string[]): readonly string[] {
  let start = 0
  for (let word = words[start]; word !== undefined; word = words[start]) {
    if (word === "--server") start += 2
    else if (SWITCHES.has(word) || word.startsWith("--server=")) start += 1
    else break
  }
  const rest = words.slice(start)
  let command: Command | undefined = program
  let names = 0
  for (const word of rest) {
    command = command.commands.find((child) => child.name() === word)
    if (command === undefined) break
    names += 1
  }
  return start === 0 || names === 0 ? words : [...rest.slice(0, names), ...words.slice(0, start), ...rest.slice(names)]
}
