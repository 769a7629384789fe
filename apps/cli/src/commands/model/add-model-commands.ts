import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** `model analyze` */
export function addModelCommands(program: Command, bind: Bind): void {
  const model = addGroup(program, "model", {
    summary: "analyze",
    description: "Models: what the checkpoint in a fileset or a local folder is.",
    examples: ["assay model analyze ./checkpoint"],
  })
  addCommand(model, "analyze <checkpoint>", {
    summary: "describe a checkpoint by its config and the headers of its weights",
    details:
      "The weights themselves are never read. Tool-calling settings in the metadata of a fileset win over what the checkpoint says. A checkpoint that begins with '.', '/' or " +
      "'~', or ends with '/', is a folder of this machine and needs no server; every other one is a fileset.",
    json: "print the specification and the warnings, or the error, as JSON",
    examples: ["assay model analyze ./llama-3.1-8b", "assay model analyze default/llama-3.1-8b --json"],
  }).action(bind(async () => (await import("./analyze-model.ts")).analyzeModel))
}
