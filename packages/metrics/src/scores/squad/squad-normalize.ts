import { squadWords } from "./squad-words.ts"

/** A text as SQuAD compares it: lower case, without ASCII punctuation, without a, an and the, one blank between words. */
export function squadNormalize(text: string): string {
  return squadWords(text).join(" ")
}
