import { Command, type Argument } from "commander"
import type { Bind } from "./commands/action.ts"
import { addCompletionCommand } from "./commands/completion/add-completion-command.ts"
import { addDatasetCommands } from "./commands/dataset/add-dataset-commands.ts"
import { addEvalCommands } from "./commands/eval/add-eval-commands.ts"
import { addFileCommands } from "./commands/files/add-file-commands.ts"
import { addFilesetCommands } from "./commands/fileset/add-fileset-commands.ts"
import { addGuardCommands } from "./commands/guard/add-guard-commands.ts"
import { addModelCommands } from "./commands/model/add-model-commands.ts"
import { addSecretCommands } from "./commands/secret/add-secret-commands.ts"
import { addServerCommands } from "./commands/server/add-server-commands.ts"
import { addTokenCommands } from "./commands/token/add-token-commands.ts"
import { addWorkspaceCommands } from "./commands/workspace/add-workspace-commands.ts"
import { readVersion } from "./read-version.ts"

const FIRST_STEPS = `
First steps:
  assay serve                                  run a server on http://127.0.0.1:8080
  assay push ./some-folder default/first       send a folder
  assay ls default/first                       list its files

\`assay help push\` describes a command.
Files are named workspace/fileset#path.
Environment: ASSAY_URL, ASSAY_WORKSPACE, ASSAY_TOKEN, NO_COLOR.`

/** Declares every command with its options and help. The code of a command is loaded when it runs. */
export function buildProgram(bind: Bind): Command {
  const program = new Command("assay")
    .description("Assay: a registry, an evaluator and a judge for the files that AI teams depend on.")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .configureHelp({ subcommandTerm: formatTerm })
    .addHelpText("after", FIRST_STEPS)
  program.commandsGroup("Server:")
  addServerCommands(program, bind)
  addTokenCommands(program, bind)
  program.commandsGroup("Records:")
  addWorkspaceCommands(program, bind)
  addFilesetCommands(program, bind)
  addSecretCommands(program, bind)
  program.commandsGroup("Bytes:")
  addFileCommands(program, bind)
  program.commandsGroup("Contents:")
  addDatasetCommands(program, bind)
  addModelCommands(program, bind)
  program.commandsGroup("Judges:")
  addGuardCommands(program, bind)
  program.commandsGroup("Evaluations:")
  addEvalCommands(program, bind)
  program.commandsGroup("Shell:")
  addCompletionCommand(program, bind)
  return program
}

/** Formats a command in the list of commands: `push <folder> <fileset>`, without `[options]`. */
function formatTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((argument) => formatArgument(argument))].join(" ")
}

function formatArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`
  return argument.required ? `<${name}>` : `[${name}]`
}
