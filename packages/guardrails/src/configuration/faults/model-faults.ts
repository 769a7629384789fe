import { JUDGE_FAMILIES, type GuardrailModel, type ValidationIssue } from "@assay/schemas"
import { familyOf } from "../../verdicts/families/family-by-name.ts"
import type { EffectiveData } from "../effective-data.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"

/** Lists the faults of the models of a configuration. */
export function modelFaults({ models }: EffectiveData): readonly ValidationIssue[] {
  const types = models.map(({ type }) => type)
  return [
    ...duplicateFaults(types, (index) => ["models", index, "type"], "a model of type"),
    ...models.flatMap(({ family }, index) => familyFaults(family, ["models", index, "family"])),
    ...models.flatMap((model, index) => pinFaults(model, ["models", index, "pinned"])),
  ]
}

/** Checks `pinned`: only the model that answers chats can be pinned, and only with its name. */
function pinFaults(
  { type, model, pinned }: GuardrailModel,
  loc: readonly (string | number)[],
): readonly ValidationIssue[] {
  if (pinned !== true || (type === "main" && model !== undefined)) return []
  const msg =
    type === "main"
      ? "a pinned model needs a name; give `model` beside it"
      : `only the model of type 'main' can be pinned, because no request names another one for '${type}'; remove it`
  return [configurationFault(loc, msg, "pinned_model", pinned)]
}

/** Returns an issue if `word` names neither a family nor a parser. */
export function familyFaults(word: string | undefined, loc: readonly (string | number)[]): readonly ValidationIssue[] {
  if (word === undefined || familyOf(word) !== undefined) return []
  const msg = `'${word}' is not one of ${JUDGE_FAMILIES.join(", ")}, and not a known parser of the vendor`
  return [configurationFault(loc, msg, "unknown_family", word)]
}
