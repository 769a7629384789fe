import { existsSync } from "node:fs"
import { basename, resolve } from "node:path"
import type { AssayError, ErrorCode } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import type { Context } from "../context.ts"
import { EVALUATION_FILE } from "../evaluation-file.ts"
import { isFolderName, JOB_ID } from "../is-folder-name.ts"

const COMMANDS: Partial<Record<ErrorCode, string>> = {
  server_unreachable: "assay serve",
  unauthorized: "assay token create NAME --role editor --workspace WORKSPACE",
  forbidden: "assay token create NAME --role editor --workspace WORKSPACE",
  bad_settings: "assay config",
  unavailable: "assay doctor",
  upstream_failed: "assay doctor",
  upstream_timeout: "assay doctor",
}

/** Matches messages that name the option which does it nevertheless. */
export const ADDED = /\badd (--(?:yes|force))\b/

const MAX_PORT = 65_535

/**
 * Returns the command that helps after an error; undefined if there is none.
 * @param usage the name of the command that failed
 * @param words the words of the command line
 */
export function commandFor(
  { code, message, context }: AssayError,
  usage: string,
  words: readonly string[],
): string | undefined {
  const [, switched] = code === "bad_usage" ? (ADDED.exec(message) ?? []) : []
  if (switched !== undefined) return ["assay", ...words.map(quotedWord), switched].join(" ")
  if (code === "bad_usage") return ["assay", usage, "--help"].filter((word) => word !== "").join(" ")
  const { port } = context
  if (code === "address_in_use" && typeof port === "number") return `assay serve --port ${nextPort(port)}`
  const [, option] = code === "in_use" ? (/ with the option '(\w+)'/.exec(message) ?? []) : []
  if (option !== undefined) return ["assay", ...words.map(quotedWord), `--${option}`].join(" ")
  if (isUnnamed(context["file"], words)) return "assay init"
  return code === "not_found" ? listingFor(message) : COMMANDS[code]
}

/** Returns whether a missing file is the evaluation file that a command reads if its words name none. */
export function isUnnamed(file: unknown, words: readonly string[]): boolean {
  return (
    typeof file === "string" &&
    basename(file) === EVALUATION_FILE &&
    !words.some((word) => basename(word) === EVALUATION_FILE)
  )
}

/** Returns the command that an error brings itself, as its words. Undefined if it brings none. */
export function ownCommand({ context }: Pick<AssayError, "context">): string | undefined {
  const { command } = context
  if (!Array.isArray(command)) return undefined
  return command.map((word) => quotedWord(printable(String(word)))).join(" ")
}

/** Quotes a word for a shell if it needs quotes. */
export function quotedWord(word: string): string {
  return /^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function nextPort(port: number): number {
  return port < MAX_PORT ? port + 1 : port - 1
}

/** Returns the command that lists what exists in place of the thing that the message names first. */
function listingFor(message: string): string | undefined {
  const [, workspace] = / in workspace '([\w.@+-]+)'/.exec(message) ?? []
  const [, fileset] = / in fileset '([\w.@+/-]+)'/.exec(message) ?? []
  const within = workspace === undefined ? "" : ` --workspace ${workspace}`
  if (message.startsWith("Workspace ")) return "assay workspace list"
  const [, job] = /^Evaluation job '([\w-]+)' has no row /.exec(message) ?? []
  if (job !== undefined) return `assay eval rows ${job}`
  if (message.startsWith("Evaluation job ")) return "assay eval list"
  if (message.startsWith("Baseline ")) return `assay baseline list${within}`
  if (message.startsWith("Secret ")) return `assay secret list${within}`
  if (message.startsWith("Fileset ")) return `assay fileset list${within}`
  return message.startsWith("File ") && fileset !== undefined ? `assay ls ${fileset}` : undefined
}

/** Matches messages about an argument that names nothing on the server. */
const NAMES_NOTHING = /^(Fileset|Workspace) '.*' (not found|does not exist)|does not name a fileset/

/** Matches names as files with rows have them. */
const ROWS = /\.(?:jsonl?|csv|tsv|parquet)$/i

/** Matches commands whose first argument is a file or folder of this machine if there is one, and else a name on a server. */
const EITHER = /^(?:dataset|model|label|eval) /

/**
 * Returns a sentence about an argument that was taken for a fileset, and that is a file or folder of this machine or looks like one, or that a server
 * was asked about because nothing here has its name; undefined if the command line contains none.
 */
export function localNamesake(
  { code, message }: AssayError,
  { usage, words }: { readonly usage: string; readonly words: readonly string[] },
  { cwd }: Pick<Context, "cwd">,
): string | undefined {
  if (code === "server_unreachable" && EITHER.test(usage)) return missingHere(usage, words, cwd)
  if ((code !== "not_found" && code !== "bad_usage") || !NAMES_NOTHING.test(message)) return undefined
  const values = words.map((word) => (word.startsWith("--") ? word.slice(word.indexOf("=") + 1) : word))
  const named = values.filter((value) => isNamed(message, value))
  const here = named.find((value) => existsSync(resolve(cwd, value)))
  if (here !== undefined) return `There is a file or folder '${printable(here)}' here, but a fileset is needed.`
  const file = named.find((value) => ROWS.test(value))
  return file === undefined ? undefined : `There is no file '${printable(file)}' here.`
}

function missingHere(usage: string, words: readonly string[], cwd: string): string | undefined {
  const own = new Set(usage.split(" "))
  const given = words.filter((word) => !own.has(word))
  // The word after an option can be its value.
  const first = given.find((word) => ROWS.test(word) && !word.startsWith("-")) ?? given[0]
  if (first === undefined || first === "" || /^-|[#\0]/.test(first) || JOB_ID.test(first)) return undefined
  if (isFolderName(first) || existsSync(resolve(cwd, first))) return undefined
  return `There is no file or folder '${printable(first)}' here, so the command asked a server.`
}

/** Returns whether the message names this word, or the fileset or workspace that the word would name. */
function isNamed(message: string, word: string): boolean {
  if (word === "" || word.startsWith("-") || word.includes("\0") || isFolderName(word)) return false
  const [first = "", second] = word.split("/")
  return [word, second ?? first, first].some((name) => message.includes(`'${name}'`) || message.includes(`/${name}'`))
}
