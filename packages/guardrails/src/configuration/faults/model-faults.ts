import { JUDGE_FAMILIES, type GuardrailModel, type ValidationIssue } from "@assay/schemas"
import { familyOf } from "../../verdicts/families/family-of.ts"
import type { EffectiveData } from "../effective-data.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"

/** What is wrong with the models of a configuration. */
export function modelFaults({ models }: EffectiveData): readonly ValidationIssue[] {
  const types = models.map(({ type }) => type)
  return [
    ...duplicateFaults(types, (index) => ["models", index, "type"], "a model of type"),
    ...models.flatMap(({ family }, index) => familyFaults(family, ["models", index, "family"])),
    ...models.flatMap((model, index) => pinFaults(model, ["models", index, "pinned"])),
  ]
}

/** Only the model that chat asks can be pinned, and only by its name. */
function pinFaults(
  { type, model, pinned }: GuardrailModel,
  loc: readonly (string | number)[],
): readonly ValidationIssue[] {
  if (pinned !== true || (type === "main" && model !== undefined)) return []
  const msg =
    type === "main"
      ? "a pinned model needs a name; give `model` beside it"
      : `only the model of type 'main' can be pinned, since no request names another for '${type}'; remove it`
  return [configurationFault(loc, msg, "pinned_model", pinned)]
}

/** An issue where `word` names no family and no parser. */
export function familyFaults(word: string | undefined, loc: readonly (string | number)[]): readonly ValidationIssue[] {
  if (word === undefined || familyOf(word) !== undefined) return []
  const msg = `'${word}' is none of ${JUDGE_FAMILIES.join(", ")}, and no vendor's parser that is known`
  return [configurationFault(loc, msg, "unknown_family", word)]
}
