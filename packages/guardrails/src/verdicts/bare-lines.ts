/** The lines of an answer that says a word and no key: without blank ones and the fences around code. */
export function bareLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:`{3,}|~{3,})\s{0,3}\w{0,20}$/.test(line))
}
