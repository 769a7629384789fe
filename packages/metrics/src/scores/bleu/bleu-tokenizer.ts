import { splitAtSpace } from "../split-at-space.ts"
import type { BleuOptions } from "./bleu-options.ts"
import { tokenize13a } from "./tokenize-13a.ts"

const TOKENIZERS: Readonly<Record<NonNullable<BleuOptions["tokenizer"]>, (text: string) => readonly string[]>> = {
  "13a": tokenize13a,
  char: (text) => Array.from(splitAtSpace(text).join("")),
  none: splitAtSpace,
}

/** The tokeniser that the options ask for. */
export function bleuTokenizer({
  tokenizer = "13a",
  lowercase = false,
}: BleuOptions): (text: string) => readonly string[] {
  const tokenize = TOKENIZERS[tokenizer]
  return lowercase ? (text) => tokenize(text.toLowerCase()) : tokenize
}
