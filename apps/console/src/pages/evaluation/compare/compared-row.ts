import type { ComparedRow } from "@assay/schemas"

/** Returns the answer of a job to a row, or why there is none. */
export function outputText({ output, error }: Pick<ComparedRow["a"], "output" | "error">): string {
  return output ?? (error === null ? "" : `${error.code}: ${error.message}`)
}

/** Returns whether a row asks the same in both jobs. A comparison leaves out the other rows. */
export function asksTheSame({ a, b }: ComparedRow): boolean {
  return asked(a) === asked(b)
}

/** Returns what an item asks: it may contain its answer, which may differ. */
function asked({ item }: ComparedRow["a"]): string {
  const { response: _response, output: _output, ...rest } = item
  return JSON.stringify(rest)
}
