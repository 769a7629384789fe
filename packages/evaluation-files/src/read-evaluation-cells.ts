import { isJsonObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import { AssayError, misspeltName } from "@assay/schemas"
import { checkAddresses, checkTool, type EvaluationContent, readEvaluationContent } from "./evaluation-content.ts"
import { checkDocument, faultAt, pointerTo } from "./document-faults.ts"
import { expandShortForm, type ExpandedFile } from "./expand-short-form.ts"
import { createFaults } from "./faults.ts"
import { SHARED_KEYS, ShortEvaluation } from "./short/short-evaluation.ts"
import { isPromptFile } from "./short/short-prompt.ts"

/** A job that an evaluation file describes. */
export interface EvaluationCell extends ExpandedFile {
  readonly content: EvaluationContent
}

const LONG_KEYS = ["target", "config"]
/** Keys that only the short form has. `output` has another meaning in each. */
const OWN_KEYS = Object.keys(ShortEvaluation.properties).filter(
  (key) => !(key in SHARED_KEYS) && !["gates", "output"].includes(key),
)

/**
 * Reads the document of an evaluation file in the short or the long form. A file with several models or prompts describes several jobs, the
 * first of which the others are compared with.
 * @param prompts the texts of the files that `promptFiles` names
 * @param files the texts of the files that `programFiles` names
 * @throws `bad_document` with file, line, column, and what is allowed there; for the short form with all faults, each an issue of the error
 */
export function readEvaluationCells(
  document: LocatedDocument,
  prompts: ReadonlyMap<string, unknown> = new Map(),
  files: ReadonlyMap<string, string> = new Map(),
): readonly [EvaluationCell, ...EvaluationCell[]] {
  const [first, ...others] = expandFile(document, prompts, files).map((file) => {
    return { ...file, content: readEvaluationContent(file.document) }
  })
  if (first === undefined) throw faultAt(document, "", "it describes no job.")
  return [first, ...others]
}

function expandFile(
  document: LocatedDocument,
  prompts: ReadonlyMap<string, unknown>,
  files: ReadonlyMap<string, string>,
): readonly ExpandedFile[] {
  const { value, locationOf } = document
  if (!isJsonObject(value)) {
    throw new AssayError(
      "bad_document",
      `${locationOf("")}: An evaluation file is an object with 'model', 'data' and 'checks', or with 'target' and 'config'.`,
    )
  }
  checkTool(value, locationOf)
  const long = LONG_KEYS.find((key) => key in value)
  if (long !== undefined) {
    const own = OWN_KEYS.find((key) => key in value)
    if (own === undefined) return [{ label: undefined, document }]
    const why = `is a key of the short form, and '${long}' one of the long form: use one form. Every key of the short form has one in the long form, which \`assay eval show\` prints.`
    throw faultAt(document, `/${own}`, why)
  }
  checkAddresses(value, locationOf)
  const faults = createFaults()
  checkDocument(document, { schema: ShortEvaluation, alsoKnown: LONG_KEYS }, faults)
  const meant = withMeantKeys(document, value)
  const written = faults.attempt("/prompt", () => withPrompts(meant, meant.value, prompts)) ?? meant.value
  return expandShortForm({ value: written, locationOf: meant.locationOf }, faults, files)
}

/** A document whose value is an object. */
interface ObjectDocument extends LocatedDocument {
  readonly value: Readonly<Record<string, unknown>>
}

/** Reads misspelt keys, which are faults already, as the keys that are meant: otherwise one typo has faults in other places, too. */
function withMeantKeys({ locationOf }: LocatedDocument, value: ObjectDocument["value"]): ObjectDocument {
  const open = Object.keys(ShortEvaluation.properties).filter((key) => !Object.hasOwn(value, key))
  const given = new Map<string, string>()
  const entries = Object.entries(value).map(([key, inner]) => {
    const meant = key in ShortEvaluation.properties ? undefined : misspeltName(key, open)
    if (meant === undefined || given.has(meant)) return [key, inner] as const
    given.set(meant, key)
    return [meant, inner] as const
  })
  return {
    value: Object.fromEntries(entries),
    locationOf: (pointer) => {
      const [, key = "", ...rest] = pointer.split("/")
      const written = given.get(key)
      return locationOf(written === undefined ? pointer : [pointerTo("", written), ...rest].join("/"))
    },
  }
}

/** Replaces prompts that are files by what is in them. @throws `bad_document` for a file that was not read */
function withPrompts(
  document: LocatedDocument,
  value: Readonly<Record<string, unknown>>,
  prompts: ReadonlyMap<string, unknown>,
): object {
  const replaced = (prompt: unknown, pointer: string): unknown => {
    if (!isPromptFile(prompt)) return prompt
    const text = prompts.get(prompt)
    if (text !== undefined) return text
    throw faultAt(
      document,
      pointer,
      `the prompt is in the file '${prompt}', which only the command reads; write its text here.`,
    )
  }
  const { prompt, prompts: several } = value
  return {
    ...value,
    ...(prompt === undefined ? {} : { prompt: replaced(prompt, "/prompt") }),
    ...(several === undefined
      ? {}
      : { prompts: mapPrompts(several, (one, key) => replaced(one, pointerTo("/prompts", key))) }),
  }
}

function mapPrompts(prompts: unknown, map: (prompt: unknown, key: string) => unknown): unknown {
  if (typeof prompts !== "object" || prompts === null) return prompts
  const entries = Object.entries(prompts).map(([key, one]) => [key, map(one, key)] as const)
  return Array.isArray(prompts) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** Returns the files that the prompts of a document are in, as they are written. A document with faults may have none. */
export function promptFiles({ value }: Pick<LocatedDocument, "value">): readonly string[] {
  if (!isJsonObject(value) || LONG_KEYS.some((key) => key in value)) return []
  const { prompt, prompts } = value
  const several: unknown[] = typeof prompts === "object" && prompts !== null ? Object.values(prompts) : []
  return [...new Set([prompt, ...several].filter((one) => isPromptFile(one)))]
}
