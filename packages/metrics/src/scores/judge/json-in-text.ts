const FENCE = "```"
const END_OF_THOUGHT = "</think>"
const MAX_OBJECTS = 32

/**
 * The JSON values that a model's answer may mean, most likely first: the whole text, what stands in fences, objects amid prose.
 * What comes before the end of a thought is left out. Takes time linear in the text: no more than 32 openings are tried.
 */
export function* jsonInText(text: string): Generator<unknown, void, undefined> {
  const thought = text.lastIndexOf(END_OF_THOUGHT)
  const answer = thought === -1 ? text : text.slice(thought + END_OF_THOUGHT.length)
  yield* parsed(answer)
  for (const fenced of fencedBlocks(answer)) yield* parsed(fenced)
  yield* objectsIn(answer)
}

function* parsed(text: string): Generator<unknown, void, undefined> {
  try {
    yield JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}

function* fencedBlocks(text: string): Generator<string, void, undefined> {
  const parts = text.split(FENCE)
  for (let at = 1; at < parts.length; at += 2) yield (parts[at] ?? "").replace(/^[\w-]{1,20}\s/, "")
}

function* objectsIn(text: string): Generator<unknown, void, undefined> {
  let start = text.indexOf("{")
  for (let tried = 0; tried < MAX_OBJECTS && start !== -1; tried += 1) {
    const end = closingBrace(text, start)
    const found = end === -1 ? [] : [...parsed(text.slice(start, end + 1))]
    yield* found
    start = text.indexOf("{", found.length === 0 ? start + 1 : end + 1)
  }
}

/** Where the object ends that begins at `start`; braces in strings do not count. -1 where it does not end. */
function closingBrace(text: string, start: number): number {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (isString && character === "\\") at += 1
    else if (character === '"') isString = !isString
    else if (!isString && character === "{") depth += 1
    else if (!isString && character === "}") depth -= 1
    if (depth === 0) return at
  }
  return -1
}
