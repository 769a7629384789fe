import { JUDGE_FAMILIES, type GuardrailData, type ValidationIssue } from "@assay/schemas"
import { familyOf } from "../verdicts/family-of.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"

/** What is wrong with the models of a configuration. */
export function modelFaults({ models }: GuardrailData): readonly ValidationIssue[] {
  const types = models.map(({ type }) => type)
  return [
    ...duplicateFaults(types, (index) => ["models", index, "type"], "a model of type"),
    ...models.flatMap(({ family }, index) => familyFaults(family, ["models", index, "family"])),
  ]
}

/** An issue where `word` names no family and no parser. */
export function familyFaults(word: string | undefined, loc: readonly (string | number)[]): readonly ValidationIssue[] {
  if (word === undefined || familyOf(word) !== undefined) return []
  const msg = `'${word}' is none of ${JUDGE_FAMILIES.join(", ")}, and no vendor's parser that is known`
  return [configurationFault(loc, msg, "unknown_family", word)]
}
