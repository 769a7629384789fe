import type { FilesetSort, Purpose, SignatureMode } from "@assay/schemas"
import { Option, type Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { addSignatureCommands } from "../signature/add-signature-commands.ts"
import { addHistoryCommands } from "./add-history-commands.ts"
import { parseInteger } from "../option-values.ts"

const PURPOSES = ["dataset", "generic", "model"] as const satisfies readonly Purpose[]
const SIGNATURES = ["required", "report"] as const satisfies readonly SignatureMode[]
const SORTS = ["created_at", "-created_at", "name", "-name"] as const satisfies readonly FilesetSort[]
const JSON_VALUES = "Give JSON or YAML as text, as @FILE, or as - for stdin."

/** Declares `fileset create|list|get|update|rename|cache|history|diff|restore|sign|verify|delete`. */
export function addFilesetCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const fileset = addGroup(program, "fileset", {
    summary: "create, list, get, update, rename, cache, history, diff, restore, sign, verify, delete",
    description: "Filesets: named collections of files.",
    examples: ["assay fileset create default/reviews --purpose dataset", "assay fileset list --all"],
  })
  if (!isNamed("fileset")) return
  addCreate(fileset, bind)
  addList(fileset, bind)
  addCommand(fileset, "get <fileset>", {
    summary: "print one fileset",
    examples: ["assay fileset get default/reviews", "assay fileset get reviews --json"],
  }).action(bind(async () => (await import("./manage-filesets.ts")).getFileset))
  addUpdate(fileset, bind)
  addCommand(fileset, "rename <fileset> <name>", {
    summary: "give a fileset another name",
    details:
      "Nothing is copied. Files, metadata and the models made from it stay, and reads in progress continue. The old name is free at once. Configurations " +
      "that name the fileset must be changed. Unfinished uploads start again under the new name.",
    examples: ["assay fileset rename default/reviews reviews-2025"],
  }).action(bind(async () => (await import("./manage-filesets.ts")).renameFileset))
  addCache(fileset, bind)
  addHistoryCommands(fileset, bind)
  addSignatureCommands(fileset, bind)
  addCommand(fileset, "delete <fileset>", {
    summary: "delete a fileset, and its files if they are on the server's own storage",
    details:
      "The server keeps it for ASSAY_TRASH_HOURS, in which `trash restore` brings it back. Its name is free at once.",
    examples: ["assay fileset delete default/reviews --yes", "assay fileset delete reviews --permanent --yes"],
  })
    .option("--permanent", "delete it for good at once")
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-filesets.ts")).deleteFileset))
}

function addCreate(fileset: Command, bind: Bind): void {
  addCommand(fileset, "create <fileset>", {
    summary: "create a fileset",
    details: JSON_VALUES,
    examples: [
      "assay fileset create default/reviews --purpose dataset",
      `assay fileset create weights --purpose model --storage '{"type": "local", "path": "/mnt/weights"}'`,
      `assay fileset create rows --purpose dataset --metadata '{"dataset": {"schema": {"type": "object"}, "enforce": "reject"}}'`,
    ],
  })
    .addOption(new Option("--purpose <purpose>", "purpose of the fileset").choices(PURPOSES).default("generic"))
    .option("--description <text>", "at most 1000 characters")
    .option("--project <name>", "project of the fileset")
    .option("--storage <json>", "storage of its files; default: the server's default storage")
    .option("--metadata <json>", "row schemas or tool-calling settings")
    .option("--custom-fields <json>", "an object with fields of your own")
    .option("--cache", "copy files from remote storage into the read cache")
    .addOption(
      new Option("--signature <mode>", "whether somebody whom the server trusts has signed the files").choices(
        SIGNATURES,
      ),
    )
    .option("--signature-path <path>", "path of the signature in the fileset; default: model.sig")
    .option("--exist-ok", "succeed if a fileset with this name exists")
    .action(bind(async () => (await import("./manage-filesets.ts")).createFileset))
}

function addList(fileset: Command, bind: Bind): void {
  addCommand(fileset, "list", {
    summary: "list filesets, newest first",
    details:
      'A filter is text such as purpose:"dataset" AND created_at>"2026-01-01". --purpose and --name are added to it. Filesets that eval run makes of rows of a machine, ' +
      "eval-inputs-…, are listed with --all, --filter or --name.",
    examples: [
      "assay fileset list --purpose dataset",
      `assay fileset list --filter 'custom_fields.team:"nlp"' --all --json`,
    ],
  })
    .option("-w, --workspace <name>", "workspace, or - for all that you may see")
    .option("--filter <text>", "only filesets that match")
    .addOption(new Option("--purpose <purpose>", "only filesets with this purpose").choices(PURPOSES))
    .option("--name <text>", "only filesets whose name contains this text")
    .addOption(new Option("--sort <field>", "order; '-' before a field means descending").choices(SORTS))
    .option("--page <number>", "page to show, counted from 1", parseInteger(1))
    .option("--page-size <number>", "filesets per page", parseInteger(1, 100))
    .option("--all", "show all pages, with eval-inputs-…")
    .action(bind(async () => (await import("./list-filesets.ts")).listFilesets))
}

function addCache(fileset: Command, bind: Bind): void {
  addCommand(fileset, "cache <fileset>", {
    summary: "copy the files of a remote fileset into the server's read cache",
    details: "The server copies in the background. If a copy was interrupted, the command resumes it.",
    examples: ["assay fileset cache default/weights --wait", "assay fileset cache weights --status --json"],
  })
    .option("--wait", "wait until all files are in the cache; exit code 2 if some could not be copied")
    .addOption(new Option("--status", "only print the progress").conflicts(["wait", "drop"]))
    .addOption(new Option("--drop", "delete the cached files").conflicts("wait"))
    .action(bind(async () => (await import("./cache-fileset.ts")).cacheFileset))
}

function addUpdate(fileset: Command, bind: Bind): void {
  addCommand(fileset, "update <fileset>", {
    summary: "change the fields of a fileset",
    details: `Each value replaces the old one as a whole. The storage can't change, and 'fileset rename' changes the name. ${JSON_VALUES}`,
    examples: [
      `assay fileset update default/reviews --description "Reviews of 2026"`,
      "assay fileset update reviews --metadata @schema.json",
    ],
  })
    .addOption(new Option("--purpose <purpose>", "purpose of the fileset").choices(PURPOSES))
    .option("--description <text>", "at most 1000 characters")
    .option("--project <name>", "project of the fileset")
    .option("--metadata <json>", "row schemas or tool-calling settings")
    .option("--custom-fields <json>", "an object with fields of your own")
    .action(bind(async () => (await import("./manage-filesets.ts")).updateFileset))
}
