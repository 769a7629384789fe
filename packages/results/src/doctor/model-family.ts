/** Words in the ids of models that name a family. The first that an id has counts. */
const FAMILIES: readonly (readonly [family: string, words: RegExp])[] = [
  ["gpt", /(?:^|[^a-z])(?:chatgpt|gpt|o[1-9]|codex)(?![a-z])/],
  ["claude", /claude/],
  ["gemini", /gemini/],
  ["gemma", /gemma/],
  ["nemotron", /nemotron/],
  ["deepseek", /deepseek/],
  ["qwen", /qwen|qwq/],
  ["mistral", /mistral|mixtral|ministral|magistral|codestral|devstral/],
  ["llama", /llama/],
]

/** Returns the family of a model by its id: `gpt` for `openai/gpt-4o-mini`. Ids of unknown families begin with it: `phi` for `phi-4`. */
export function modelFamily(id: string): string {
  const name = id.toLowerCase()
  const known = FAMILIES.find(([, words]) => words.test(name))
  if (known !== undefined) return known[0]
  const last = name.split("/").at(-1) ?? name
  return /^[a-z]+/.exec(last)?.[0] ?? last
}
