import type { LocatedDocument } from "../../documents/located-document.ts"
import { faultAt, namesHint, pointerTo } from "./document-faults.ts"
import type { ShortEvaluation } from "./short-evaluation.ts"

/** The name of the only task of a file in the short form. The same in every file, so that their jobs can be compared. */
export const TASK = "answers"

/** Expands gates: `equals >= 0.8` names the check of the only task. @throws `bad_document` for a check that is not there */
export function expandGates(
  document: LocatedDocument,
  gates: NonNullable<ShortEvaluation["gates"]>,
  checks: readonly string[],
): readonly (string | object)[] {
  return gates.map((gate, at) => {
    const pointer = pointerTo("/gates", at)
    if (typeof gate !== "string") {
      if ((gate.task ?? TASK) === TASK) checkName(document, pointerTo(pointer, "metric"), gate.metric, checks)
      return { ...gate, task: gate.task ?? TASK }
    }
    const name = /^(.+?)\s*[<>=]/.exec(gate.trim())?.[1] ?? gate.trim()
    if (name.startsWith(`${TASK}.`)) return gate
    checkName(document, pointer, name.replace(/ corrected by people$/, ""), checks)
    return `${TASK}.${gate.trim()}`
  })
}

function checkName(document: LocatedDocument, pointer: string, name: string, checks: readonly string[]): void {
  if (checks.some((check) => name === check || name.startsWith(`${check}.`))) return
  const why = `'${name}' is not a check of this file; ${namesHint(name, checks, "its checks are")} Write a gate as \`${checks[0]} >= 0.8\`.`
  throw faultAt(document, pointer, why)
}
