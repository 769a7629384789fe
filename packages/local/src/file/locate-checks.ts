import type { LocatedDocument } from "@assay/validation"
import { AssayError, isAssayError } from "@assay/schemas/errors"

interface NamedLocation {
  readonly message: string
}

/** Matches the dotted locations that messages of launch checks begin with, or name alone in brackets or as a template. */
const LOCATION = /(?<=^|\(|emplate ')(?:target|config|tasks)\.[^\s:,()']+(?=[:)'])/g

/** Adds file, line and column to the locations that the messages of launch checks name. */
export function locateChecks<T extends NamedLocation>(checks: readonly T[], document: LocatedDocument): readonly T[] {
  return checks.map((check) => ({
    ...check,
    message: check.message.replaceAll(LOCATION, (location, offset: number) => {
      const found = locationIn(document, location)
      return found === undefined ? location : `${found}${offset === 0 ? ": " : ", "}${location}`
    }),
  }))
}

/** Adds the locations of the file to the failed checks of a refused launch. Returns any other error unchanged. */
export function locateRefusal(error: unknown, document: LocatedDocument): unknown {
  if (!isAssayError(error, "launch_refused")) return error
  const { failed_checks: checks } = error.context
  if (!Array.isArray(checks)) return error
  const failed_checks = locateChecks(checks as readonly NamedLocation[], document)
  return new AssayError("launch_refused", error.message, { context: { ...error.context, failed_checks }, cause: error })
}

/** Returns the location of the innermost value that a dotted path reaches; undefined if it reaches none. Keys may contain dots. */
function locationIn({ value, locationOf }: LocatedDocument, dotted: string): string | undefined {
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
  return pointer === "" ? undefined : locationOf(pointer)
}

/** Returns the longest key that the next steps spell. */
function keyOf(value: unknown, steps: readonly string[]): string | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const keys = steps.map((_step, at) => steps.slice(0, at + 1).join("."))
  return keys.findLast((key) => Object.hasOwn(value, key))
}

/** Names the lines of an evaluation file that faults are about. */
export const locateFaults = Object.freeze({ inChecks: locateChecks, inRefusal: locateRefusal })
