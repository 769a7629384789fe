import { Option, type Command } from "commander"
import type { Purpose } from "@assay/schemas"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect } from "../collect.ts"
import { parseInteger } from "../parse-integer.ts"

const PURPOSES = ["dataset", "generic", "model"] as const satisfies readonly Purpose[]
const DEFAULT_PARALLEL = 16
const SIDES =
  "A side that begins with '.', '/' or '~', or ends with '/' and has no '#', is a file or folder of this machine; every other one is a fileset."

/** `push`, `pull`, `cp`, `sync`, `ls`, `cat`, `rm`: the bytes. */
export function addFileCommands(program: Command, bind: Bind): void {
  addTransferOptions(
    addCommand(program, "push <from> <fileset>", {
      summary: "send a folder or a file to a fileset",
      details:
        "Only what changed travels, by size and SHA-256. The fileset is created if it is missing. Nothing is deleted from it. A file goes to the name given, or under its own name into a fileset or " +
        "a folder that ends with '/'. Links inside the folder are followed, links that lead out of it and special files are skipped and counted. A fileset keeps no empty folders.",
      examples: [
        "assay push ./reviews default/reviews --purpose dataset",
        "assay push ./part default/reviews#train",
        "assay push labelled.csv default/reviews",
        "assay push ./reviews default/reviews --include '*.csv' --exclude 'drafts/' --dry-run",
      ],
    }),
  )
    .addOption(new Option("--purpose <purpose>", "purpose of a fileset that is made").choices(PURPOSES))
    .action(bind(async () => (await import("./copy.ts")).push))
  addTransferOptions(
    addCommand(program, "pull <fileset> <to>", {
      summary: "fetch a fileset, or a folder or file in it",
      details:
        "Only what changed travels, by size and SHA-256. Every file is checked against its SHA-256 before it takes its place. Other files in the folder stay. Nothing is written " +
        "outside the folder, nor through links that lead out of it. One file goes to the name given, or under its own name into a folder that exists or ends with '/'.",
      examples: [
        "assay pull default/reviews ./reviews",
        "assay pull default/reviews#train ./train",
        "assay pull default/reviews#train/a.csv ./a.csv",
      ],
    }),
  ).action(bind(async () => (await import("./copy.ts")).pull))
  addTransferOptions(
    addCommand(program, "cp <from> <to>", {
      summary: "copy a fileset, or a folder or file in it, to another fileset or this machine",
      details: `Wherever either side's bytes are. Only what changed travels, by size and SHA-256; nothing is deleted. If the fileset is missing, it is created with the purpose, the metadata and the custom fields of the one that is copied. A file goes to the name given, or into a folder that ends with '/'. ${SIDES}`,
      examples: [
        "assay cp hub-copies/reviews default/reviews",
        "assay cp default/reviews#train backup/reviews#train",
        "assay cp default/reviews#train/a.csv backup/reviews#a.csv",
        "assay cp ./a.csv default/reviews#train/a.csv",
      ],
    }),
  )
    .addOption(new Option("--purpose <purpose>", "purpose of a fileset that is made").choices(PURPOSES))
    .action(bind(async () => (await import("./copy.ts")).cp))
  addTransferOptions(
    addCommand(program, "sync <from> <to>", {
      summary: "bring one side to what the other holds",
      details: SIDES,
      examples: [
        "assay sync ./reviews default/reviews --delete",
        "assay sync default/reviews backup/reviews --dry-run",
        "assay sync default/reviews#train/a.csv ./a.csv",
      ],
    }),
  )
    .option("--delete", "remove from <to> what <from> lacks")
    .action(bind(async () => (await import("./copy.ts")).sync))
  addCommand(program, "ls <fileset>", {
    summary: "list the files of a fileset or of a folder in it",
    examples: ["assay ls default/reviews", "assay ls default/reviews#train --json"],
  }).action(bind(async () => (await import("./ls.ts")).ls))
  addCommand(program, "cat <file...>", {
    summary: "print the bytes of files",
    json: "print an error as JSON; bytes stay bytes",
    examples: ["assay cat default/reviews#train/a.csv", "assay cat reviews#train/a.csv --range 0-99"],
  })
    .option("--range <bytes>", "a part of each file: 0-99, 100- or -50 (the last 50)")
    .action(bind(async () => (await import("./cat.ts")).cat))
  addCommand(program, "rm <file...>", {
    summary: "delete files of filesets",
    examples: ["assay rm default/reviews#train/a.csv", "assay rm -r default/reviews#train --yes"],
  })
    .option("-r, --recursive", "also everything below a folder")
    .option("-y, --yes", "do not ask")
    .action(bind(async () => (await import("./rm.ts")).rm))
}

function addTransferOptions(command: Command): Command {
  return command
    .option("--parallel <files>", "files at the same time", parseInteger(1, 256), DEFAULT_PARALLEL)
    .option("--include <glob>", "only these files, or all below these folders; may be given several times", collect)
    .option("--exclude <glob>", "not these files, nor what is below these folders; may be given several times", collect)
    .option("--dry-run", "print what would travel and what would be refused, and change nothing")
}
