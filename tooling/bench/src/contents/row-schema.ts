/** A schema of ten fields, as rows of instructions have. */
export const ROW_SCHEMA = {
  type: "object",
  properties: {
    id: { type: "integer" },
    prompt: { type: "string", minLength: 1 },
    response: { type: "string" },
    language: { enum: ["en", "de", "fr", "ja"] },
    score: { type: "number", minimum: 0, maximum: 1 },
    source: { type: "string" },
    tags: { type: "array", items: { type: "string" }, maxItems: 8 },
    is_safe: { type: "boolean" },
    turns: { type: "integer", minimum: 1 },
    meta: { type: "object", properties: { team: { type: "string" } }, required: ["team"] },
  },
  required: ["id", "prompt", "response", "language", "score", "source", "tags", "is_safe", "turns", "meta"],
  additionalProperties: false,
} as const

/** Returns row number `index`, of about 450 bytes. */
export function rowText(index: number): string {
  return JSON.stringify({
    id: index,
    prompt: `Question ${index}: ${"what does the reader want to know of it? ".repeat(3)}`,
    response: `Answer ${index}: ${"it says so in the third line. ".repeat(4)}`,
    language: ["en", "de", "fr", "ja"][index % 4],
    score: (index % 1000) / 1000,
    source: "bench",
    tags: ["one", "two", `t${index % 7}`],
    is_safe: index % 3 > 0,
    turns: 1 + (index % 5),
    meta: { team: `team-${index % 11}` },
  })
}
