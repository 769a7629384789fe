import { built, type Requirement } from "./requirement.ts"

/** The command line. */
export const OPERATING_COMMANDS: readonly Requirement[] = [
  ...built("operating §3", {
    "cli.json": "`--json` is on everything that prints.",
    "cli.progress": "Progress with rate and time left is shown on a terminal, silence elsewhere.",
    "cli.help": "`--help` of each command has an example.",
    "cli.delete.confirm": "A command that deletes asks on a terminal, and needs `--yes` without one.",
    "cli.namesake": "A file of this machine that was taken for a fileset is named, with how to write it.",
    "cli.serve.port-in-use": "A port in use ends `serve` with exit code 2, the port and how to choose another.",
    "cli.token.place":
      "`token create` names the file and the server that it wrote for, and warns if there is no database.",
    "cli.unauthorized": "A 401 names `ASSAY_TOKEN`.",
    "cli.yaml": "Files and options of the command take YAML wherever they take JSON.",
    "launch.params": "Keys of `params` that have no effect are named at launch, with the key that was meant.",
    "cli.guard.check-people": "`guard check` prints for people on a terminal, and JSON with `--json` or into a pipe.",
    "cli.terminal.colour": "A terminal shows colours unless NO_COLOR is set.",
    "cli.terminal.width": "Tables fit the width of the terminal.",
    "cli.fileset.rename": "`fileset rename` gives a fileset another name in its workspace.",
    "cli.completion": "There is shell completion.",
    "cli.map": "`assay` alone shows the map of commands.",
    "cli.stdin": "`-` reads stdin.",
    "cli.serve": "`serve` runs the server.",
    "cli.config": "`config` prints the settings in force, secrets masked.",
    "cli.output.controls": "Control characters of others are shown as escapes wherever the command prints text.",
    "operating.deep-check":
      "`doctor --deep` checks the database, that the files on record are there, and every digest, beside a running server.",
    "operating.backup.online":
      "`backup` of a running server holds every file acknowledged before it began, whole, with its record.",
    "operating.backup.whole": "A backup is there whole or not at all; one that is cut short or changed is refused.",
    "operating.backup.keys": "A backup holds the encryption keys only when it is asked to, and says so.",
    "operating.restore":
      "`restore` unpacks into an empty data folder that no server uses, checks every digest and refuses hostile archives.",
    "cli.doctor": "`doctor` checks machine, database and storage.",
    "cli.workspace": "`workspace` has create, list, get and delete.",
    "cli.secret": "`secret` has set, list and delete.",
    "cli.secret-value": "A secret's value comes from stdin or a prompt, never from an argument.",
    "cli.fileset": "`fileset` has create, list, get, update and delete.",
    "cli.push": "`push FOLDER ws/name` sends a folder, or a file.",
    "cli.pull": "`pull ws/name FOLDER` fetches a fileset, or a file of it.",
    "cli.ls": "`ls` lists files.",
    "cli.cat": "`cat` prints a file's bytes.",
    "cli.rm": "`rm` removes files.",
    "cli.transfer.parallel": "Files travel in parallel.",
    "cli.transfer.resumable": "A transfer that was broken off goes on where it stood.",
    "cli.transfer.checksummed": "Bytes are checked against their digest in both directions.",
    "cli.transfer.only-changes": "Only what changed travels.",
    "cli.transfer.one-file":
      "`push`, `pull`, `cp` and `sync` take one file on either side, as a file of this machine or as `ws/name#path`.",
    "cli.cp.keeps":
      "A fileset that `cp` or `sync` makes of a whole fileset keeps purpose, metadata, custom fields and schemas.",
    "cli.transfer.nothing-found": "A path that matches nothing is an error with exit code 2.",
    "cli.transfer.filters": "`--include` and `--exclude` select files by glob.",
    "cli.transfer.dry-run-refusals": "`--dry-run` tells the files that would be refused.",
    "cli.push.row-places": "Refused rows are told as `file:line`.",
    "cli.exit.done": "Exit code 0: done.",
    "cli.exit.fixable": "Exit code 2: the user can fix it.",
    "cli.exit.fault": "Exit code 70: a fault of ours.",
    "cli.exit.interrupted": "Exit code 130: interrupted.",
    "cli.error": "An error on stderr says what happened, why, what to do and the command to run.",
  }),
  ...built("operating §3", {
    "cli.doctor.backends": "`doctor` checks the backend of each fileset, and with it its secrets.",
  }),
  ...built("operating §3", {
    "cli.dataset": "`dataset` has validate, infer-schema, head and profile.",
    "cli.model": "`model` has analyze.",
    "cli.exit.no": "Exit code 1: the answer is no.",
  }),
  ...built("operating §3", {
    "cli.doctor.endpoints": "`doctor` checks each inference endpoint.",
    "cli.eval":
      "`eval` has run, launch, list, status, watch, logs, results, download, explain, compare, cancel and resume.",
    "cli.exit.inconclusive": "Exit code 3: inconclusive.",
  }),
  ...built("operating §3", {
    "cli.guard": "`guard` has check and calibrate.",
  }),
  ...built("details: CLI", {
    "cli.address": "Files are named `ws/name#path`; `name#path` uses ASSAY_WORKSPACE.",
    "cli.sync": "`sync A B` goes one way, A to B, where each side is a folder or a fileset.",
    "cli.sync.delete": "`sync --delete` removes from B what A lacks.",
    "cli.push.links":
      "`push` follows links whose target is inside the folder, skips the others with a warning and a count.",
    "cli.json.streams":
      "With `--json` results go to stdout, and errors to stderr as `{error: {code, message, remedy}}`.",
    "cli.no-server": "Without a server the exit code is 2.",
  }),
]
