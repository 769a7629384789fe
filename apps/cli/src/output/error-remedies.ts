import { readdirSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { nearestNames, printable } from "@assay/schemas"
import { type AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import type { Context } from "../context.ts"
import { ADDED } from "./error-hints.ts"

const LAUNCH_REMEDY = "Correct the faults."
const SKIP_REMEDY = "Correct the faults, or launch without the checks: --skip-checks."

/** Faults of an endpoint, which may be another one when rows are asked. The job needs everything else that is checked. */
const OF_ENDPOINTS =
  /^(inference_|model_not_found$|rate_limited$|quota_exhausted$|parameter_unsupported$|answer_unusable$)/

/** Returns what to do about a refused launch. `--skip-checks` is named only if a launch without checks can succeed. */
export function launchRemedy(checks: readonly { readonly code: string }[], words: readonly string[]): string {
  const isSkippable = !words.includes("--skip-checks") && checks.every(({ code }) => OF_ENDPOINTS.test(code))
  return isSkippable ? SKIP_REMEDY : LAUNCH_REMEDY
}

/** The line of a file. */
const PLACE = /:\d+(?::\d+)?[: ]|\bline \d/
const DOCUMENT_REMEDY = "Correct the file, or name another one."

/** Remedies in the words of the command line, where those of the catalogue speak of HTTP requests. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  launch_refused: LAUNCH_REMEDY,
  bad_page_token: "Run the command again, so that it begins with the first page.",
  bad_checksum: "Check that no proxy between this machine and the server changes requests.",
  bad_upload: "Check that no proxy between this machine and the server changes requests.",
  unsupported_media: "Check that no proxy between this machine and the server changes requests.",
  method_not_allowed: "Write to a fileset on writable storage.",
  upload_offset: "Run the same command again: it continues where the upload is.",
  upload_gone: "Run the same command again: it starts a new upload.",
  upload_locked: "Wait until the other upload has ended, then run the same command again.",
  upload_checksum: "Run the same command again: it sends the part again.",
  precondition_failed: "Look at the current file, then run the command again if it is still right.",
  range_not_satisfiable: "Choose a range within the size of the file.",
  too_many_requests: "Wait a minute, then run the command again.",
  unavailable: "Wait a moment, then run the command again.",
}

/** The remedy that an error brings itself, which knows more than that of its code. Undefined if it brings none. */
export function ownRemedy({ context }: Pick<AssayError, "context">): string | undefined {
  const { remedy } = context
  return typeof remedy === "string" && remedy !== "" ? printable(remedy) : undefined
}

/**
 * Returns what to do after an error: what the error says itself. For `unauthorized`, this depends on the token in the environment; for
 * a missing file of this machine, on the files beside it.
 */
export function remedyFor(error: AssayError, context: Pick<Context, "cwd" | "env">): string {
  const { code, context: circumstances } = error
  const own = ownRemedy(error)
  if (own !== undefined) return own
  if (code === "unauthorized") return tokenRemedy(context)
  const { file } = circumstances
  if (code === "not_found" && typeof file === "string") return fileRemedy(file, context)
  if (code === "in_use") return usedRemedy(error)
  if (code === "bad_document" && !PLACE.test(error.message)) return DOCUMENT_REMEDY
  if (code === "bad_usage" && ADDED.test(error.message)) return "If that is what you want, run:"
  return REMEDIES[code] ?? ERROR_CATALOGUE[code].remedy
}

function usedRemedy({ message }: AssayError): string {
  if (/ with the option '/.test(message)) return "Remove those first, or run:"
  return / is built in\b/.test(message)
    ? "Create one of your own, which you can change and delete."
    : "Change or remove first what uses it."
}

function tokenRemedy({ env }: Pick<Context, "env">): string {
  const given =
    (env["ASSAY_TOKEN"] ?? "") === ""
      ? "ASSAY_TOKEN is not set: set it to a token of this server."
      : "The server does not know the token in ASSAY_TOKEN, or it has expired or was revoked: set ASSAY_TOKEN to another one."
  return `${given} The operator of the server creates one on its machine:`
}

/** Names files beside a missing one that it may mean. */
function fileRemedy(file: string, { cwd }: Pick<Context, "cwd">): string {
  const path = resolve(cwd, file)
  const near = nearestNames(basename(path), namesIn(dirname(path)))
  if (near.length === 0) return "Correct the path: it is a path on this machine."
  return `Correct the path: there is ${near.map((name) => `'${printable(name)}'`).join(" and ")}.`
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
