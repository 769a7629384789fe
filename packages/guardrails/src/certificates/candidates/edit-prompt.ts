import { createRandom } from "@assay/metrics"
import type { GuardrailData } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { EDIT_KINDS, type PromptEdit } from "./edit-text.ts"
import { inputPromptOf } from "./input-prompt.ts"

/** A configuration with a prompt that a program wrote. */
export interface WrittenCandidate {
  readonly name: string
  readonly text: string
  readonly data: GuardrailData
}

/**
 * Returns the prompt of the first input rail in `count` versions: with one edit of its strictness, examples or wording, then with two, then with three.
 * The seed decides which of equally many edits come first. Edits that change nothing are left out.
 * @throws `bad_usage` if the judge has its rules in the chat template of its model, or if there are fewer versions
 */
export function editPrompt(
  data: GuardrailData,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly WrittenCandidate[] {
  const prompt = inputPromptOf(data)
  if (prompt === undefined || prompt.text === null) {
    const found = prompt === undefined ? "has no input rail" : "keeps its rules in the chat template of the model"
    throw new AssayError(
      "bad_usage",
      `The prompt can't be edited: the configuration ${found}; give prompts or configurations in a folder to --candidates.`,
    )
  }
  const { text: base, withText } = prompt
  const versions = new Map<string, WrittenCandidate>()
  for (const edits of editSets(seed)) {
    const text = edits.reduce((edited, edit) => edit.apply(edited), base)
    if (text === base || versions.has(text)) continue
    versions.set(text, { name: edits.map(({ name }) => name).join("+"), text, data: withText(text) })
  }
  if (count > versions.size) {
    const message = `--candidates ${count} is more than there are: this prompt has ${versions.size} different edits.`
    throw new AssayError("bad_usage", message)
  }
  return [...versions.values()].slice(0, count)
}

/** Returns all sets with at most one edit of each kind: the smaller ones first, and sets of one size shuffled. */
function editSets(seed: number): readonly (readonly PromptEdit[])[] {
  const sets = EDIT_KINDS.reduce<readonly (readonly PromptEdit[])[]>(
    (some, kind) => some.flatMap((set) => [set, ...kind.map((edit) => [...set, edit])]),
    [[]],
  )
  const random = createRandom(seed)
  return sets
    .map((set) => ({ set, order: random() }))
    .toSorted((a, b) => a.set.length - b.set.length || a.order - b.order)
    .map(({ set }) => set)
}
