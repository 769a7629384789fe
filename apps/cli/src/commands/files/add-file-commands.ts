import type { Purpose } from "@assay/schemas"
import { Option, type Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { collect, parseInteger } from "../option-values.ts"

const PURPOSES = ["dataset", "generic", "model"] as const satisfies readonly Purpose[]
const DEFAULT_PARALLEL = 16
const SIDES =
  "A side is a file or folder of this machine if it begins with '.', '/' or '~', or if it ends with '/' and has no '#', and <from> also if it exists. Any other side is a fileset."
const ONLY_CHANGES = "Only files that are new or differ in size or SHA-256 are copied."

/** Declares `push`, `pull`, `cp`, `sync`, `mv`, `ls`, `cat` and `rm`. */
export function addFileCommands(program: Command, bind: Bind): void {
  addPush(program, bind)
  addPull(program, bind)
  addCp(program, bind)
  addSync(program, bind)
  addMv(program, bind)
  addLs(program, bind)
  addCat(program, bind)
  addRm(program, bind)
}

function addPush(program: Command, bind: Bind): void {
  addCopyOptions(
    addCommand(program, "push <from> <fileset>", {
      summary: "send a folder or a file to a fileset",
      details:
        `${ONLY_CHANGES} The fileset is created if it does not exist. Nothing is deleted from it. A file gets the name that you give, or keeps its name if the target is a fileset or ` +
        "a folder that ends with '/'. Links inside the folder are followed; links that lead out of it and special files are skipped and counted. A fileset does not keep empty folders.",
      examples: [
        "assay push ./reviews default/reviews --purpose dataset",
        "assay push ./part default/reviews#train",
        "assay push labelled.csv default/reviews",
        "assay push ./reviews default/reviews --include '*.csv' --exclude 'drafts/' --dry-run",
      ],
    }),
  )
    .addOption(new Option("--purpose <purpose>", "purpose of a new fileset").choices(PURPOSES))
    .action(bind(async () => (await import("./copy.ts")).push))
}

function addPull(program: Command, bind: Bind): void {
  addCopyOptions(
    addCommand(program, "pull <fileset> <to>", {
      summary: "download a fileset, or a folder or file in it",
      details:
        `${ONLY_CHANGES} Each file replaces the old one only after its SHA-256 was checked. Other files in the folder stay. Nothing is written ` +
        "outside the folder or through links that lead out of it. A single file gets the name that you give, or keeps its name if the target is a folder that exists or ends with '/'.",
      examples: [
        "assay pull default/reviews ./reviews",
        "assay pull default/reviews#train ./train",
        "assay pull default/reviews#train/a.csv ./a.csv",
      ],
    }),
  ).action(bind(async () => (await import("./copy.ts")).pull))
}

function addCp(program: Command, bind: Bind): void {
  addCopyOptions(
    addCommand(program, "cp <from> <to>", {
      summary: "copy a fileset, or a folder or file in it, to another fileset or this machine",
      details: `Works with every storage. ${ONLY_CHANGES} Nothing is deleted. If the target fileset does not exist, it is created with the purpose, the metadata and the custom fields of the source. A file gets the name that you give, or keeps its name if the target is a folder that ends with '/'. ${SIDES}`,
      examples: [
        "assay cp hub-copies/reviews default/reviews",
        "assay cp default/reviews#train backup/reviews#train",
        "assay cp default/reviews#train/a.csv backup/reviews#a.csv",
        "assay cp ./a.csv default/reviews#train/a.csv",
      ],
    }),
  )
    .addOption(new Option("--purpose <purpose>", "purpose of a new fileset").choices(PURPOSES))
    .action(bind(async () => (await import("./copy.ts")).cp))
}

function addSync(program: Command, bind: Bind): void {
  addCopyOptions(
    addCommand(program, "sync <from> <to>", {
      summary: "update one side from the other",
      details: `${ONLY_CHANGES} ${SIDES}`,
      examples: [
        "assay sync ./reviews default/reviews --delete",
        "assay sync default/reviews backup/reviews --dry-run",
        "assay sync default/reviews#train/a.csv ./a.csv",
      ],
    }),
  )
    .option("--delete", "delete files of <to> that <from> does not have")
    .action(bind(async () => (await import("./copy.ts")).sync))
}

function addMv(program: Command, bind: Bind): void {
  addCommand(program, "mv <from> <to>", {
    summary: "rename a file of a fileset, or move it to another fileset",
    details:
      "The file is deleted only after its copy was checked. It gets the name that you give, or keeps its name if the target is a fileset or a folder that ends with '/'.",
    examples: [
      "assay mv default/reviews#a.csv default/reviews#train/b.csv",
      "assay mv default/reviews#a.csv backup/reviews",
    ],
  })
    .option("--force", "replace the file that is there")
    .action(bind(async () => (await import("./mv.ts")).mv))
}

function addLs(program: Command, bind: Bind): void {
  addCommand(program, "ls [fileset]", {
    summary: "list filesets, or the files of a fileset or of a folder in it",
    details: "Without a fileset, it lists the newest filesets, as `assay fileset list` does.",
    examples: [
      "assay ls",
      "assay ls default/reviews",
      "assay ls default/reviews#train --json",
      "assay ls default/reviews --include '*.csv' --folders",
    ],
  })
    .option("--include <glob>", "list only these files, or all files below these folders; can be repeated", collect)
    .option("--exclude <glob>", "do not list these files, or any file below these folders; can be repeated", collect)
    .option("--folders", "print the files and folders at this level, each folder with its number of files and its size")
    .action(bind(async () => (await import("./ls.ts")).ls))
}

function addCat(program: Command, bind: Bind): void {
  addCommand(program, "cat <file...>", {
    summary: "print the bytes of files",
    json: "print errors as JSON; the bytes are not changed",
    examples: ["assay cat default/reviews#train/a.csv", "assay cat reviews#train/a.csv --range 0-99"],
  })
    .option("--range <bytes>", "a part of each file: 0-99, 100- or -50 (the last 50)")
    .action(bind(async () => (await import("./cat.ts")).cat))
}

function addRm(program: Command, bind: Bind): void {
  addCommand(program, "rm <file...>", {
    summary: "delete files of filesets",
    examples: ["assay rm default/reviews#train/a.csv", "assay rm -r default/reviews#train --yes"],
  })
    .option("-r, --recursive", "delete everything below a folder, too")
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./rm.ts")).rm))
}

function addCopyOptions(command: Command): Command {
  return command
    .option(
      "--parallel <files>",
      "number of files that are copied at the same time",
      parseInteger(1, 256),
      DEFAULT_PARALLEL,
    )
    .option("--include <glob>", "copy only these files, or all files below these folders; can be repeated", collect)
    .option("--exclude <glob>", "do not copy these files, or any file below these folders; can be repeated", collect)
    .option("--dry-run", "print what would be copied and what would be refused, and change nothing")
}
