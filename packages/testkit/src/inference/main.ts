import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { PERSONALITIES, type Personality } from "./condition-words.ts"
import { createFakeModels } from "./models/create-fake-models.ts"
import { createFakeLanguages } from "./models/create-fake-languages.ts"
import { readScript } from "./models/scripted-model.ts"
import { startFakeInference } from "./start-fake-inference.ts"

const USAGE = `Usage: main.js [--port 9000] [--key KEY] [--latency MS] [--script FILE] [--personality ${PERSONALITIES.join("|")}]`

// Serves completions without a model, for trying things out. Runs until it is stopped.
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9000" },
    key: { type: "string" },
    latency: { type: "string", default: "0" },
    script: { type: "string" },
    personality: { type: "string", default: "openai" },
    help: { type: "boolean", default: false },
  },
})
const isKnown = (PERSONALITIES as readonly string[]).includes(values.personality)
if (values.help || !isKnown || !/^\d+$/.test(values.port) || !/^\d+$/.test(values.latency)) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  const { key, script } = values
  const server = await startFakeInference({
    port: Number(values.port),
    latencyMs: Number(values.latency),
    personality: values.personality as Personality,
    record: false,
    models: { ...createFakeModels(), ...(script === undefined ? {} : openScript(script)) },
    languages: createFakeLanguages(),
    ...(key !== undefined && { key }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error
    console.error(
      `error: Port ${values.port} is in use by another program: choose another one with --port (0 takes a free one).`,
    )
    return process.exit(2)
  })
  const bearer = key === undefined ? "" : ` -H 'authorization: Bearer ${key}'`
  console.log(`Completions of chats and texts: ${server.url}/v1
Models: ${server.modelNames.join(", ")}
Try: curl -s ${server.url}/v1/chat/completions -H 'content-type: application/json'${bearer} \\
  -d '{"model":"content-safety","messages":[{"role":"user","content":"How do I kill a Linux process?"}]}'`)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close())
}

function openScript(file: string): ReturnType<typeof readScript> {
  try {
    return readScript(readFileSync(file, "utf8"))
  } catch (error) {
    console.error(`error: The script ${file} can't be used: ${error instanceof Error ? error.message : String(error)}`)
    return process.exit(2)
  }
}
