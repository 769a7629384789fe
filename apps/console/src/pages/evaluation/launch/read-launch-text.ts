import { isObject } from "@assay/json"
import {
  launchOfContent,
  readEvaluationCells,
  type EvaluationContent,
  type LaunchBody,
  withGatesInJob,
} from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { lineOfLocation, parseLocated, withLines } from "../../../documents/document-text.ts"

/** An evaluation file that was read. */
export interface LaunchDocument {
  readonly content: EvaluationContent
  /** The body that is sent. */
  readonly body: LaunchBody
  /** Returns the line of a location that a check or a message names. Undefined if it names none of this document. */
  readonly lineOf: (location: string) => number | undefined
}

/** Reads the text of an evaluation file. @throws `invalid_request` with the line of the first fault */
export async function readLaunchText(text: string): Promise<LaunchDocument> {
  const written = await parseLocated(text)
  const cells = withLines(() => readEvaluationCells(written))
  const [{ content, document }] = cells
  if (cells.length > 1) {
    const message = `This file describes ${cells.length} jobs, one for each model and prompt, and this page launches one: save it and run \`assay eval launch FILE\`, which launches all of them, or keep one model and one prompt.`
    throw new AssayError("invalid_request", message)
  }
  const { value, locationOf } = document
  const lineOf = (location: string) => {
    const pointer = pointerOf(value, location) ?? pointerOf(content.config, location, "/config")
    return pointer === undefined ? undefined : lineOfLocation(locationOf(pointer))
  }
  return { content, body: launchOfContent(withGatesInJob(content), "default"), lineOf }
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
