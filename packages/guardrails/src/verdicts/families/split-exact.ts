import { splitCategories } from "../split-categories.ts"

const NONE: readonly string[] = []

/** The list of an exact answer; most have none. */
export function splitExact(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? NONE : splitCategories(list)
}
