import { isObject } from "@assay/json"
import { isLocalPath, type LaunchBody } from "@assay/schemas"
import { launchOfContent, readEvaluationCells, withGatesInJob, type EvaluationContent } from "@assay/evaluation-files"
import { isAssayError, messageOf } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import type { LineFault } from "../../../../components/code-editor/fault-lines.tsx"

/** A job that a file describes. */
export interface LaunchJob {
  /** The model and the prompt that distinguish it. Undefined: it is the only one. */
  readonly label: string | undefined
  readonly content: EvaluationContent
  /** The body that is sent. */
  readonly body: LaunchBody & { readonly namespace: string }
}

/** An evaluation file, as far as it can be read. */
export interface LaunchFile {
  /** The value of the text. Undefined: it is not YAML. */
  readonly value: unknown
  /** Empty if the file has a fault. */
  readonly jobs: readonly LaunchJob[]
  readonly faults: readonly LineFault[]
  /** Returns the line of a location that a check or a message names. Undefined if it names none of this file. */
  readonly lineOf: (location: string) => number | undefined
}

const NAME = "document"
const NO_FILE: LaunchFile = { value: {}, jobs: [], faults: [], lineOf: () => undefined }

/** Reads the text of an evaluation file. A text with faults has them all, each with its line. */
export function readLaunchFile(text: string): LaunchFile {
  if (text.trim() === "") return NO_FILE
  let value: unknown
  try {
    const written = parseYaml(text, NAME)
    value = written.value
    const cells = readEvaluationCells(written)
    const jobs = cells.map(({ label, content }) => {
      return { label, content, body: launchOfContent(withGatesInJob(content), "default") }
    })
    const [{ content, document }] = cells
    const lineOf = (location: string) => {
      const pointer = pointerOf(document.value, location) ?? pointerOf(content.config, location, "/config")
      return pointer === undefined ? undefined : located(`${document.locationOf(pointer)}: `)?.line
    }
    const line = located(`${written.locationOf("/data")}: `)?.line ?? 1
    const local = localFile(content)
    return local === undefined
      ? { value, jobs, faults: [], lineOf }
      : { value, jobs: [], faults: [{ line, text: local }], lineOf }
  } catch (error) {
    return { ...NO_FILE, value, faults: faultsOf(error) }
  }
}

/** Returns what is wrong with rows of a file that only a command could read. */
function localFile({ target, config }: EvaluationContent): string | undefined {
  const tasks = typeof config === "object" ? Object.values(config.tasks ?? {}) : []
  const of = typeof target === "object" ? [target.cached_outputs, target.dataset] : []
  const urls = [...tasks.map(({ dataset }) => dataset), ...of].map((dataset) =>
    isObject(dataset) ? dataset["files_url"] : dataset,
  )
  const local = urls.find((url): url is string => typeof url === "string" && isLocalPath(url))
  if (local === undefined) return undefined
  return `'data': '${local}' is a file of a machine, which only the command reads; name a fileset here: workspace/fileset#path.`
}

/** Returns the faults that an error of the reader names. */
function faultsOf(error: unknown): readonly LineFault[] {
  const issues = isAssayError(error) ? error.issues.map(({ loc, msg }) => `${loc.join()}: ${msg}`) : []
  const messages = issues.length === 0 ? [messageOf(error)] : issues
  return messages.map((message) => {
    const { line = 1, text = message } = located(message) ?? {}
    const missing = MISSING.find((pattern) => pattern.test(text))
    return missing === undefined
      ? { line, text }
      : { line, text: text.replace(missing, "'$1' is missing"), isFault: false }
  })
}

/** Faults which say that nobody has written a part of the file yet: it is not there, it is empty, or a gate has no number. */
const MISSING = [
  /^'([\w.-]+)'(?:: it)? is missing\b/u,
  /^'([\w.-]+)': expected [^.]* not (?:null|\[\])(?=\.)/u,
  /^'(gates\.\d+)': '[^']*[<>]=\s*' is not a gate/u,
]
const LOCATION = new RegExp(`^${NAME}:(\\d+):(\\d+): ([^]*)$`, "u")

function located(message: string): { readonly line: number; readonly text: string } | undefined {
  const [, line, , text = ""] = LOCATION.exec(message) ?? []
  return line === undefined ? undefined : { line: Number(line), text }
}

/**
 * Returns the pointer to the value whose keys a text begins with, such as `config.tasks.qa.dataset: not found`. Keys may contain
 * dots. Undefined if the first key is not one of the value.
 */
function pointerOf(value: unknown, location: string, above = ""): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  const keys = Object.keys(value).filter(
    (key) => location.startsWith(key) && /^(?:[.:\s(]|$)/u.test(location.slice(key.length)),
  )
  const key = keys.toSorted((one, other) => other.length - one.length)[0]
  if (key === undefined) return undefined
  const pointer = `${above}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
  const rest = location.slice(key.length)
  const inner: unknown = (value as Record<string, unknown>)[key]
  return rest.startsWith(".") ? (pointerOf(inner, rest.slice(1), pointer) ?? pointer) : pointer
}
