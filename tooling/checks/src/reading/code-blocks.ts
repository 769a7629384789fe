/** Returns the fenced code blocks of one language in a Markdown text, without their fences. */
export function codeBlocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = ""]) => code)
}
