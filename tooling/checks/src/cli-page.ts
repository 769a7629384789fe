import { buildProgram } from "@assay/cli/program"

type Command = ReturnType<typeof buildProgram>

const HEAD = `# The command \`assay\`

<!-- Written from the program by tooling/checks/src/write-cli-page.ts: change the help of the command, then run it. -->

In a clone of the repository, \`npm run setup\` prints the line that puts \`assay\` on the path. [Settings](settings.md#the-command) lists the variables that it reads, and
[the package](../../apps/cli/README.md) says how files are copied and how evaluations run.

Files are named \`workspace/fileset#path\`. Without a workspace, the one in \`ASSAY_WORKSPACE\` is used, or else \`default\`. A path of this machine begins
with \`.\`, \`/\` or \`~\`, ends with \`/\`, or exists. [Words and flags](cli-words.md) says what flags mean in every command.

| Exit code | Meaning |
| --- | --- |
| 0 | Done |
| 1 | The answer is no: invalid row, blocked message, failed gate |
| 2 | You can fix it; the message says how |
| 3 | Inconclusive: no clear verdict, or too few rows |
| 70 | A bug in Assay |
| 130 | Interrupted |

With \`--json\`, results go to stdout, and an error goes to stderr as \`{"error": {"code", "message", "remedy"}}\`. [Errors](errors.md) lists the codes.
`

/** Columns of the help of a terminal that is neither narrow nor wide. */
const COLUMNS = 100

/** Formats the documentation page of a command line: its commands with what they do, then the help of each. */
export function formatCliPage(program: Command = buildProgram(() => async () => undefined)): string {
  const commands = runnableCommands(program)
  const rows = commands.map((command) => {
    const name = nameOf(command)
    return `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${command.summary().replaceAll("|", String.raw`\|`)} |\n`
  })
  const table = `\n| Command | Does |\n| --- | --- |\n${rows.join("")}`
  const sections = commands.map((command) => `\n## ${nameOf(command)}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`)
  return [HEAD, table, ...sections].join("")
}

/** Returns the commands that have no commands below them, in the order of the help. */
function runnableCommands(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(runnableCommands)
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

/** Returns what `--help` prints. */
function helpOf(command: Command): string {
  let text = ""
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => COLUMNS }).outputHelp()
  return text.trim()
}
