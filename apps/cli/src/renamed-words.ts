import type { Command } from "commander"

/** Old names of commands, and the last word of the new one. The version after this one does not know them. */
const COMMANDS: Readonly<Record<string, string>> = { "eval check": "plan" }

/** Old names of options, for commands that have the new one and not the old one. The version after this one does not know them. */
const OPTIONS: Readonly<Record<string, string>> = {
  "--parallelism": "--parallel",
  "--rows": "--limit",
  "--count": "--limit",
  "--repeat": "--repeats",
  "--max-fail": "--max-failed",
  "--folder": "--out",
  "--overwrite": "--force",
  "--file": "--data",
}

/** A command line in today's words. */
export interface RenamedWords {
  readonly words: readonly string[]
  /** A sentence for each old name. */
  readonly warnings: readonly string[]
}

/** Replaces old names of commands and options by today's. Words after `--` and names that still exist are not changed. */
export function renamedWords(program: Command, given: readonly string[]): RenamedWords {
  const renamed = COMMANDS[given.slice(0, 2).join(" ")]
  const words = renamed === undefined ? given : given.with(1, renamed)
  const options = optionsOf(program, words)
  const end = words.includes("--") ? words.indexOf("--") : words.length
  const warnings = renamed === undefined ? [] : [warning(given.slice(0, 2).join(" "), words.slice(0, 2).join(" "))]
  const current = words.map((word, at) => {
    const [, old = "", value = ""] = /^(--[a-z-]+)(=.*)?$/s.exec(word) ?? []
    const name = OPTIONS[old]
    if (at >= end || name === undefined || options.has(old) || !options.has(name)) return word
    warnings.push(warning(old, name))
    return `${name}${value}`
  })
  return { words: current, warnings }
}

/** Returns the options of the command that the words name. */
function optionsOf(program: Command, words: readonly string[]): ReadonlySet<string | undefined> {
  let command = program
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word)
    if (child === undefined) break
    command = child
  }
  return new Set(command.options.map(({ long }) => long))
}

function warning(old: string, name: string): string {
  return `warning: '${old}' is '${name}' now. The next version does not know the old name.`
}
