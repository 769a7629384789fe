import { Argument, type Command } from "commander"
import type { Context } from "../../context.ts"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import type { Shell } from "./print-completion.ts"

/** Declares `completion bash|zsh|fish`. */
export function addCompletionCommand(program: Command, bind: Bind): void {
  addCommand(program, "completion", {
    summary: "print a completion script for a shell",
    details:
      "The scripts run `assay completion jobs`, which prints the ids of the newest jobs of the server, or nothing if none answers within a second.",
    json: "print errors as JSON; the script is not changed",
    examples: [
      "source <(assay completion bash)",
      "assay completion zsh > ~/.zsh/completions/_assay",
      "assay completion fish > ~/.config/fish/completions/assay.fish",
    ],
  })
    .addArgument(
      new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish", "jobs"] satisfies (Shell | "jobs")[]),
    )
    .action(
      bind(async () => {
        const { printCompletion, printJobs } = await import("./print-completion.ts")
        return (context: Context, shell: Shell | "jobs") =>
          shell === "jobs" ? printJobs(context) : printCompletion(context, shell, program)
      }),
    )
}
