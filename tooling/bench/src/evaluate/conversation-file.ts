import { writeFile } from "node:fs/promises"

/** Turns of a conversation. Each calls the tool once. */
export const TURNS = 6

const PARAMETERS = { type: "object", properties: { id: { type: "string" } }, required: ["id"] }
const DESCRIPTION = "Where an order is."
/** The tool as a script sends it. */
export const TOOL = {
  type: "function" as const,
  function: { name: "get_order", description: DESCRIPTION, parameters: PARAMETERS },
}

/** Writes an evaluation of conversations in the short form. */
export async function writeConversations(file: string, url: string, parallelism: number): Promise<void> {
  const turns = Array.from({ length: TURNS }, (_, turn) => ({
    user: `${turn}: {{ question }}`,
    checks: [{ contains: "shipped" }],
  }))
  const tool = {
    name: "get_order",
    description: DESCRIPTION,
    parameters: PARAMETERS,
    answers: [{ result: { status: "shipped" } }],
  }
  const evaluation = {
    model: `${url}/v1#agent`,
    data: "rows.jsonl",
    system: "You serve a shop.",
    turns,
    tools: [tool],
    parallel: parallelism,
  }
  await writeFile(file, JSON.stringify(evaluation))
}
