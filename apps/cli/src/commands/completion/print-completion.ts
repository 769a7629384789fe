import type { Command } from "commander"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import { bashCompletion } from "./bash-completion.ts"
import { commandTree } from "./command-tree.ts"
import { fishCompletion } from "./fish-completion.ts"
import { zshCompletion } from "./zsh-completion.ts"

export const SHELLS = ["bash", "zsh", "fish"] as const
export type Shell = (typeof SHELLS)[number]

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** `assay completion <shell>` */
export async function printCompletion({ stdout }: Context, shell: Shell, program: Command): Promise<void> {
  await writeText(stdout, SCRIPTS[shell](commandTree(program)))
}
