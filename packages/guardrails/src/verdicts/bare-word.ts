import { plainWord } from "./plain-word.ts"

/** A line that is one word or two, as vocabularies write it; brackets and list marks around it are no part of it. */
export function bareWord(line: string): string {
  return line.length > 60
    ? ""
    : plainWord(line.replace(/^[\s>#*_"'`([-]{1,20}/, "").replace(/[\s*_"'`)\].!,;:]{1,20}$/, ""))
}
