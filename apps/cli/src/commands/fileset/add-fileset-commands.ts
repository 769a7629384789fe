import { Option, type Command } from "commander"
import type { FilesetSort, Purpose } from "@assay/schemas"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseInteger } from "../parse-integer.ts"

const PURPOSES = ["dataset", "generic", "model"] as const satisfies readonly Purpose[]
const SORTS = ["created_at", "-created_at", "name", "-name"] as const satisfies readonly FilesetSort[]

/** `fileset create|list|get|update|rename|cache|delete` */
export function addFilesetCommands(program: Command, bind: Bind): void {
  const fileset = addGroup(program, "fileset", {
    summary: "create, list, get, update, rename, cache, delete",
    description: "Filesets: named collections of files.",
    examples: ["assay fileset create default/reviews --purpose dataset", "assay fileset list --all"],
  })
  addCreate(fileset, bind)
  addList(fileset, bind)
  addCommand(fileset, "get <fileset>", {
    summary: "print one fileset",
    examples: ["assay fileset get default/reviews", "assay fileset get reviews --json"],
  }).action(bind(async () => (await import("./get-fileset.ts")).getFileset))
  addUpdate(fileset, bind)
  addCommand(fileset, "rename <fileset> <name>", {
    summary: "give a fileset another name",
    details:
      "Nothing is copied: files, metadata and models that were made of it stay, and whoever reads it goes on. The old name is free at once. Configurations " +
      "that name the fileset have to be changed. Unfinished uploads are begun again under the new name.",
    examples: ["assay fileset rename default/reviews reviews-2025"],
  }).action(bind(async () => (await import("./rename-fileset.ts")).renameFileset))
  addCache(fileset, bind)
  addCommand(fileset, "delete <fileset>", {
    summary: "delete a fileset, and its files where they lie on the server's own storage",
    examples: ["assay fileset delete default/reviews --yes"],
  })
    .option("-y, --yes", "do not ask")
    .action(bind(async () => (await import("./delete-fileset.ts")).deleteFileset))
}

function addCreate(fileset: Command, bind: Bind): void {
  addCommand(fileset, "create <fileset>", {
    summary: "create a fileset",
    details: "JSON or YAML is given as text, as @FILE, or as - for stdin.",
    examples: [
      "assay fileset create default/reviews --purpose dataset",
      `assay fileset create weights --purpose model --storage '{"type": "local", "path": "/mnt/weights"}'`,
      `assay fileset create rows --purpose dataset --metadata '{"dataset": {"schema": {"type": "object"}, "enforce": "reject"}}'`,
    ],
  })
    .addOption(new Option("--purpose <purpose>", "what it is for").choices(PURPOSES).default("generic"))
    .option("--description <text>", "up to 1000 characters")
    .option("--project <name>", "project that it belongs to")
    .option("--storage <json>", "where its files lie; the server's default storage when absent")
    .option("--metadata <json>", "row schemas or tool-calling settings")
    .option("--custom-fields <json>", "free-form fields")
    .option("--cache", "warm the read cache of external storage")
    .option("--exist-ok", "a fileset of that name is no error")
    .action(bind(async () => (await import("./create-fileset.ts")).createFileset))
}

function addList(fileset: Command, bind: Bind): void {
  addCommand(fileset, "list", {
    summary: "list filesets, newest first",
    details:
      'A filter is text such as purpose:"dataset" AND created_at>"2026-01-01"; --purpose and --name are added to it.',
    examples: [
      "assay fileset list --purpose dataset",
      `assay fileset list --filter 'custom_fields.team:"nlp"' --all --json`,
    ],
  })
    .option("-w, --workspace <name>", "workspace, or - for all that you may see")
    .option("--filter <text>", "keep what matches")
    .addOption(new Option("--purpose <purpose>", "keep one purpose").choices(PURPOSES))
    .option("--name <text>", "keep names that contain the text")
    .addOption(new Option("--sort <field>", "order").choices(SORTS))
    .option("--page <number>", "page, from 1", parseInteger(1))
    .option("--page-size <number>", "filesets on a page", parseInteger(1, 100))
    .option("--all", "every page, one after the other")
    .action(bind(async () => (await import("./list-filesets.ts")).listFilesets))
}

function addCache(fileset: Command, bind: Bind): void {
  addCommand(fileset, "cache <fileset>", {
    summary: "bring the files of a remote fileset into the server's read cache",
    details: "The server does it in the background, and goes on where it was when it is asked again.",
    examples: ["assay fileset cache default/weights --wait", "assay fileset cache weights --status --json"],
  })
    .option("--wait", "wait until all files are there; exit code 2 where some are not")
    .addOption(new Option("--status", "only tell how far it is").conflicts(["wait", "drop"]))
    .addOption(new Option("--drop", "drop what is cached").conflicts("wait"))
    .action(bind(async () => (await import("./cache-fileset.ts")).cacheFileset))
}

function addUpdate(fileset: Command, bind: Bind): void {
  addCommand(fileset, "update <fileset>", {
    summary: "change what is known about a fileset",
    details:
      "What is given replaces the whole value; the storage can't change, and 'fileset rename' changes the name. JSON or YAML is given as text, as @FILE, or as - for stdin.",
    examples: [
      `assay fileset update default/reviews --description "Reviews of 2026"`,
      "assay fileset update reviews --metadata @schema.json",
    ],
  })
    .addOption(new Option("--purpose <purpose>", "what it is for").choices(PURPOSES))
    .option("--description <text>", "up to 1000 characters")
    .option("--project <name>", "project that it belongs to")
    .option("--metadata <json>", "row schemas or tool-calling settings")
    .option("--custom-fields <json>", "free-form fields")
    .action(bind(async () => (await import("./update-fileset.ts")).updateFileset))
}
