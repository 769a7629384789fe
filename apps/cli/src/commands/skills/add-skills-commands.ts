import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** Declares `skills install`. */
export function addSkillsCommands(program: Command, bind: Bind): void {
  const skills = addGroup(program, "skills", {
    summary: "install",
    description: "Instructions for coding assistants: how to make, run, gate and explain an evaluation.",
    examples: ["assay skills install --for claude"],
  })
  addCommand(skills, "install", {
    summary: "write a skill file, from which a coding assistant learns these commands",
    details:
      "Writes assay/SKILL.md into the folder for skills of the assistant, below the working folder. A file that this command wrote is replaced by the one of this version; a file that somebody changed is not, without --force.",
    server: false,
    json: "print the file and whether it was written, or the error, as JSON",
    examples: [
      "assay skills install",
      "assay skills install --for cursor",
      "assay skills install --for ./.agents/skills --force",
    ],
  })
    .option("--for <assistant>", "claude, cursor, copilot, codex, or a folder such as ./.agents/skills", "claude")
    .option("--force", "replace a file that was changed")
    .action(bind(async () => (await import("./install-skill.ts")).installSkill))
}
