import type { PlacedDocument } from "@assay/schemas/validation"
import { AssayError, isAssayError } from "@assay/schemas/errors"

interface NamedPlace {
  readonly message: string
}

/** Matches the dotted places that messages of launch checks begin with, or name alone in brackets. */
const PLACE = /(?<=^|\()(?:target|config|tasks)\.[^\s:,()]+(?=[:)])/g

/** Adds file, line and column to the places that the messages of launch checks name. */
export function placeChecks<T extends NamedPlace>(checks: readonly T[], document: PlacedDocument): readonly T[] {
  return checks.map((check) => ({
    ...check,
    message: check.message.replaceAll(PLACE, (place, offset: number) => {
      const found = placeIn(document, place)
      return found === undefined ? place : `${found}${offset === 0 ? ": " : ", "}${place}`
    }),
  }))
}

/** Adds the places of the file to the failed checks of a refused launch. Returns any other error unchanged. */
export function placeRefusal(error: unknown, document: PlacedDocument): unknown {
  if (!isAssayError(error, "launch_refused")) return error
  const { failed_checks: checks } = error.context
  if (!Array.isArray(checks)) return error
  const failed_checks = placeChecks(checks as readonly NamedPlace[], document)
  return new AssayError("launch_refused", error.message, { context: { ...error.context, failed_checks }, cause: error })
}

/** Returns the place of the innermost value that a dotted path reaches; undefined if it reaches none. Keys may contain dots. */
function placeIn({ value, placeOf }: PlacedDocument, dotted: string): string | undefined {
  const steps = (dotted.startsWith("tasks.") ? `config.${dotted}` : dotted).split(".")
  let inside: unknown = value
  let pointer: string = ""
  while (steps.length > 0) {
    const key = keyOf(inside, steps)
    if (key === undefined) break
    inside = (inside as Readonly<Record<string, unknown>>)[key]
    pointer += `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    steps.splice(0, key.split(".").length)
  }
  return pointer === "" ? undefined : placeOf(pointer)
}

/** Returns the longest key that the next steps spell. */
function keyOf(value: unknown, steps: readonly string[]): string | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const keys = steps.map((_step, at) => steps.slice(0, at + 1).join("."))
  return keys.findLast((key) => Object.hasOwn(value, key))
}
