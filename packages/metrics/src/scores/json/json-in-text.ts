const FENCE = "```"
const END_OF_THOUGHT = "</think>"
const MAX_OBJECTS = 32

/**
 * Yields the JSON values in a model's answer, the most likely first: the whole text, the content of code fences, objects
 * within prose. Text before the end of a thought (`</think>`) is ignored. Time is linear in the text, because at most 32
 * opening braces are tried.
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

/** Returns the index of the brace that closes the object at `start`, or -1. Braces in strings do not count. */
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
