import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** Declares `model analyze`. */
export function addModelCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const model = addGroup(program, "model", {
    summary: "analyze",
    description: "Models: describe the checkpoint in a fileset or a local folder.",
    examples: ["assay model analyze ./llama-3.1-8b"],
  })
  if (!isNamed("model")) return
  addCommand(model, "analyze <checkpoint>", {
    summary: "describe a checkpoint by its config and the headers of its weights",
    details:
      "The weights themselves are never read. Tool-calling settings in the metadata of a fileset take precedence over those of the checkpoint. A checkpoint is a folder of this machine, which needs no server, if it exists or begins with '.', '/' or '~'. " +
      "Any other checkpoint is a fileset.",
    json: "print the specification and the warnings, or the error, as JSON",
    examples: ["assay model analyze ./llama-3.1-8b", "assay model analyze default/llama-3.1-8b --json"],
  }).action(bind(async () => (await import("./analyze-model.ts")).analyzeModel))
}
