import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { parseInteger } from "../option-values.ts"

const REVISIONS =
  "A revision is its id or the first seven digits of it, a tag, or a time such as 2026-11-30T18:00:00Z. It names the files after that change."

/** Declares `fileset history|diff|restore`. */
export function addHistoryCommands(fileset: Command, bind: Bind): void {
  addCommand(fileset, "history <fileset> [path]", {
    summary: "list what was changed, or the former versions of a path",
    details:
      "The server keeps the bytes of replaced and deleted files for ASSAY_HISTORY_DAYS. --purge removes those of the fileset at once.",
    examples: ["assay fileset history default/reviews", "assay fileset history reviews train.jsonl --json"],
  })
    .option("--limit <number>", "maximum number of entries", parseInteger(1, 1000))
    .option("--after <token>", "show the entries after a page")
    .option("--purge", "remove all kept bytes")
    .option("-y, --yes", "remove without asking")
    .action(bind(async () => (await import("./fileset-history.ts")).showHistory))
  addCommand(fileset, "diff <fileset> <from> [to]", {
    summary: "compare the files of two revisions, or their rows, or of one and now",
    details: `${REVISIONS} --rows compares the rows of each file that differs: as wholes, or with --key cell by cell.`,
    examples: [
      "assay fileset diff default/reviews 3f2a91c",
      "assay fileset diff reviews v1 v2 --path train --json",
      "assay fileset diff reviews v1 --path train.jsonl --rows --key id",
    ],
  })
    .option("--path <path>", "only this file, or the files below this folder")
    .option("--rows", "compare rows: which were added, removed and changed")
    .option("--key <field>", "with --rows: the field that names a row, or a JSON pointer such as /meta/id")
    .option(
      "--limit <number>",
      "maximum number of files, and of rows of each, that are listed; all are counted",
      parseInteger(0, 10_000),
    )
    .action(bind(async () => (await import("./fileset-history.ts")).diffRevisions))
  addCommand(fileset, "restore <fileset> <revision> [path]", {
    summary: "bring back the files of a revision, all or one path",
    details: `${REVISIONS} The restoration is a change, which can be undone in the same way. If bytes are gone, nothing is changed.`,
    examples: [
      "assay fileset restore default/reviews 3f2a91c --dry-run",
      "assay fileset restore reviews 2026-11-30T18:00:00Z train.jsonl",
    ],
  })
    .option("--dry-run", "only say what would change")
    .action(bind(async () => (await import("./fileset-history.ts")).restoreRevision))
}
