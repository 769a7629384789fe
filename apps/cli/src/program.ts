import { Command, CommanderError, type Argument } from "commander"
import type { Bind, IsNamed } from "./commands/action.ts"
import { addBudgetCommands } from "./commands/budget/add-budget-commands.ts"
import { addCompletionCommand } from "./commands/completion/add-completion-command.ts"
import { addDatasetCommands } from "./commands/dataset/add-dataset-commands.ts"
import { addDocsCommand } from "./commands/docs/add-docs-command.ts"
import { addEvalCommands } from "./commands/eval/add-eval-commands.ts"
import { addVerifyCommand } from "./commands/evidence/add-evidence-commands.ts"
import { addFileCommands } from "./commands/files/add-file-commands.ts"
import { addFilesetCommands } from "./commands/fileset/add-fileset-commands.ts"
import { addGuardCommands } from "./commands/guard/add-guard-commands.ts"
import { addBaselineCommands } from "./commands/baseline/add-baseline-commands.ts"
import { addImportCommands } from "./commands/import/add-import-commands.ts"
import { addInitCommand } from "./commands/init/add-init-command.ts"
import { addLabelCommands } from "./commands/label/add-label-commands.ts"
import { addMcpCommand } from "./commands/mcp/add-mcp-command.ts"
import { addModelCommands } from "./commands/model/add-model-commands.ts"
import { addReleaseCommands } from "./commands/release/add-release-commands.ts"
import { addSchemaCommand } from "./commands/schema/add-schema-command.ts"
import { addSecretCommands } from "./commands/secret/add-secret-commands.ts"
import { addServerCommands } from "./commands/server/add-server-commands.ts"
import { addSkillsCommands } from "./commands/skills/add-skills-commands.ts"
import { addTokenCommands } from "./commands/token/add-token-commands.ts"
import { addTrashCommands } from "./commands/trash/add-trash-commands.ts"
import { addWorkspaceCommands } from "./commands/workspace/add-workspace-commands.ts"
import { readVersion } from "./read-version.ts"

const FIRST_STEPS = `
First steps:
  assay init                                   write an evaluation file, and offer to run it
  assay serve                                  run a server on http://127.0.0.1:8080
  assay push ./some-folder default/first       send a folder
  assay ls default/first                       list its files

\`assay help push\` describes a command.
Files are named workspace/fileset#path.
Environment: ASSAY_URL, ASSAY_WORKSPACE, ASSAY_TOKEN, NO_COLOR.`

/** Declares the commands that are named, and all nouns, with their options and help. The code of a command is loaded when it runs. */
export function buildProgram(bind: Bind, isNamed: IsNamed = () => true): Command {
  const program = new Command("assay")
    .description("Assay: a registry, an evaluator and a judge for the files that AI teams depend on.")
    .option("-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: formatTerm })
    .addHelpText("after", FIRST_STEPS)
  // The parser's own option would need the version, and so the manifest, for every command.
  program.on("option:version", () => {
    const version = readVersion()
    program.configureOutput().writeOut?.(`${version}\n`)
    throw new CommanderError(0, "commander.version", version)
  })
  program.hook("preAction", (_program, command) => refuseEmptyPaths(command))
  program.commandsGroup("Server:")
  addServerCommands(program, bind)
  addTokenCommands(program, bind, isNamed)
  program.commandsGroup("Records:")
  addWorkspaceCommands(program, bind, isNamed)
  addBudgetCommands(program, bind, isNamed)
  addFilesetCommands(program, bind, isNamed)
  addTrashCommands(program, bind, isNamed)
  addSecretCommands(program, bind, isNamed)
  program.commandsGroup("Bytes:")
  addFileCommands(program, bind)
  program.commandsGroup("Contents:")
  addDatasetCommands(program, bind, isNamed)
  addModelCommands(program, bind, isNamed)
  program.commandsGroup("Judges:")
  addGuardCommands(program, bind, isNamed)
  program.commandsGroup("Evaluations:")
  addInitCommand(program, bind)
  addEvalCommands(program, bind, isNamed)
  addImportCommands(program, bind, isNamed)
  addLabelCommands(program, bind, isNamed)
  addBaselineCommands(program, bind, isNamed)
  addReleaseCommands(program, bind, isNamed)
  addVerifyCommand(program, bind)
  addSchemaCommand(program, bind)
  program.commandsGroup("Assistants:")
  addMcpCommand(program, bind)
  addSkillsCommands(program, bind)
  program.commandsGroup("Shell:")
  addDocsCommand(program, bind)
  addCompletionCommand(program, bind)
  return program
}

const PATH_OPTION = /<(?:file|folder)>$/

/** Refuses an option whose file or folder has no name, such as `--out "$UNSET"`. It would mean the working folder. */
function refuseEmptyPaths(command: Command): void {
  for (const option of command.options) {
    if (!PATH_OPTION.test(option.flags) || command.getOptionValue(option.attributeName()) !== "") continue
    command.error(`error: option '${option.flags}' argument '' is invalid. Give a name, or leave the option out.`, {
      code: "commander.invalidArgument",
    })
  }
}

/** Formats a command in the list of commands: `push <folder> <fileset>`, without `[options]`. */
function formatTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((argument) => formatArgument(argument))].join(" ")
}

function formatArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`
  return argument.required ? `<${name}>` : `[${name}]`
}
